"""``rulewright fmt``: the texts of set files, or one text, in the canonical wording."""

import difflib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from rulewright.apps.cli.frame import new_app
from rulewright.cards.texts import PlacedText, replace_texts
from rulewright.errors import RulewrightError, UsageError
from rulewright.paths import write_atomically

app = new_app()

Wording = Callable[[str], str]
"""Gives the canonical wording of a text; raises :class:`RulewrightError` where it cannot be read."""


@app.command()
def fmt(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH...", help="Set files, or folders with set files.")
    ] = None,
    text: Annotated[str | None, typer.Option("--text", help="Write this one text instead of files.")] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; end with 1 where it would.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Change nothing; show what would change.")] = False,
) -> None:
    """Write card text in the canonical wording.

    A text that cannot be read is named and left as it is, and the command ends with 1.

    \b
    Example: rulewright fmt --text "when I attack, [Stun] an enemy unit here"
             rulewright fmt --check cardtexts/riftbound
    """
    if (text is None) == (not paths):
        raise UsageError(
            "give files, or one text", help='rulewright fmt PATH, or rulewright fmt --text "Draw 1."'
        )
    wording = _wording()
    if text is not None:
        typer.echo(wording(text))
        return
    found = [_format(path, wording, write=not (check or diff), show=diff) for path in _files(paths or [])]
    unread = sum(count for _, count in found)
    changed = sum(changes for changes, _ in found)
    done = "would change" if check or diff else "changed"
    typer.echo(f"{len(found)} files: {changed} texts {done}, {unread} cannot be read", err=diff)
    if unread or (changed and (check or diff)):
        raise typer.Exit(1)


def _wording() -> Wording:
    from rulewright.cards.canonical import canonical_text

    return canonical_text


def _files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.yaml"))
        elif path.is_file():
            yield path
        else:
            raise UsageError("there is no such file or folder", place=str(path))


def _format(path: Path, wording: Wording, *, write: bool, show: bool) -> tuple[int, int]:
    """Format one file; give how many texts change and how many cannot be read."""
    source = path.read_text(encoding="utf-8")
    changed = unread = 0

    def change(found: PlacedText) -> str:
        nonlocal changed, unread
        try:
            wanted = wording(found.text)
        except RulewrightError as error:
            unread += 1
            typer.echo(f"{path}:{found.line}: {found.card}: {error.message}", err=True)
            return found.text
        changed += wanted != found.text
        return wanted

    formatted = replace_texts(source, change)
    if show and formatted != source:
        _show(path, source, formatted)
    if write and formatted != source:
        write_atomically(path, formatted)
    return changed, unread


def _show(path: Path, before: str, after: str) -> None:
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), f"{path}", f"{path} (canonical)", lineterm="", n=1
    )
    for line in lines:
        typer.echo(line)
