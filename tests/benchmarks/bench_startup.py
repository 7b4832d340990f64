"""Print how long ``rulewright --version`` and ``--help`` take from start to end; the bar is 0.3 s."""

import subprocess
import sys
import time

ROUNDS = 7


def seconds(*arguments: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "rulewright", *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


if __name__ == "__main__":
    for option in ("--version", "--help"):
        times = sorted(seconds(option) for _ in range(ROUNDS))
        print(f"start-up  rulewright {option:10}  median {times[ROUNDS // 2]:.3f} s  worst {times[-1]:.3f} s")
