"""``python -m rulewright``: the command line."""

from rulewright.apps.cli import main

if __name__ == "__main__":
    main()
