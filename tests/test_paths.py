from pathlib import Path

import pytest

from rulewright.errors import RulewrightError, UsageError
from rulewright.paths import DATA_FOLDERS, cache_dir, data_dir, write_atomically


def test_the_data_folders_are_found_in_the_checkout(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULEWRIGHT_DATA", raising=False)
    assert data_dir() == checkout
    assert all((data_dir() / folder).is_dir() for folder in DATA_FOLDERS)


def test_another_data_root_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path))
    assert data_dir() == tmp_path


def test_a_data_root_that_is_no_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_DATA", str(tmp_path / "absent"))
    with pytest.raises(UsageError, match="RULEWRIGHT_DATA does not name a folder"):
        data_dir()


def test_the_cache_folder_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    assert cache_dir() == tmp_path


def test_a_written_file_replaces_the_old_one_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "set.yaml"
    path.write_text("old")
    path.chmod(0o640)
    write_atomically(path, "new – ok\n")
    assert path.read_bytes() == "new – ok\n".encode()
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_symbolic_link_still_points_at_the_file_that_was_written(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_atomically(link, "new")
    assert (link.is_symlink(), target.read_text()) == (True, "new")


def test_a_file_that_cannot_be_written_says_where(tmp_path: Path) -> None:
    path = tmp_path / "absent" / "set.yaml"
    with pytest.raises(RulewrightError, match="cannot be written") as caught:
        write_atomically(path, "text")
    assert caught.value.place == str(path)
    assert list(tmp_path.iterdir()) == []
