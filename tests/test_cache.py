from pathlib import Path

import pytest

from rulewright import cache


@pytest.fixture(autouse=True)
def own_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    return tmp_path


def test_what_was_stored_is_found_under_its_key_only() -> None:
    key = cache.content_key("input")
    cache.store("readings", key, b"result\n")
    assert cache.load("readings", key) == b"result\n"
    assert cache.load("readings", cache.content_key("input, changed")) is None
    assert cache.load("rules", key) is None


@pytest.mark.parametrize("damage", [b"", b"rulewright-cache-1 ", b"no cache file at all"])
def test_a_damaged_file_is_ignored(own_cache_folder: Path, damage: bytes) -> None:
    cache.store("readings", "key", b"result")
    (own_cache_folder / "readings" / "key").write_bytes(damage)
    assert cache.load("readings", "key") is None


def test_a_torn_file_is_ignored(own_cache_folder: Path) -> None:
    cache.store("readings", "key", b"result")
    place = own_cache_folder / "readings" / "key"
    place.write_bytes(place.read_bytes()[:-1])
    assert cache.load("readings", "key") is None


def test_a_file_copied_to_another_key_is_ignored(own_cache_folder: Path) -> None:
    cache.store("readings", "one", b"result")
    folder = own_cache_folder / "readings"
    (folder / "two").write_bytes((folder / "one").read_bytes())
    assert cache.load("readings", "two") is None


def test_a_cache_folder_that_cannot_be_written_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "file"))
    cache.store("readings", "key", b"result")
    assert cache.load("readings", "key") is None
