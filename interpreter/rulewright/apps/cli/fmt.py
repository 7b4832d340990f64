"""``rulewright fmt``: the texts of set files, or one text, in the canonical wording."""

import difflib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from rulewright.apps.cli.frame import DEFAULT_GAME, GameOption, new_app
from rulewright.cards.texts import PlacedText, changed_texts, put_back
from rulewright.data_files import text_of
from rulewright.errors import RulewrightError, UsageError

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
    game: GameOption = DEFAULT_GAME,
) -> None:
    """Write card text in the canonical wording.

    A text that cannot be read is named and left as it is, and the command ends with 1. A file that is no set is an
    error, and then no file is changed; decks, errata and bans beside the sets are left alone.

    \b
    Example: rulewright fmt --text "when I attack, [Stun] an enemy unit here"
             rulewright fmt --check cardtexts/riftbound
    """
    if (text is None) == (not paths):
        raise UsageError(
            "give files, or one text", help='rulewright fmt PATH, or rulewright fmt --text "Draw 1."'
        )
    files = _files(paths or [])
    wording = _wording(files, game)
    if text is not None:
        typer.echo(wording(text))
        return
    found = [_format(path, wording, write=not (check or diff), show=diff) for path in files]
    unread = sum(count for _, count in found)
    changed = sum(changes for changes, _ in found)
    done = "would change" if check or diff else "changed"
    said = f"{_counted(len(found), 'file')}: {_counted(changed, 'text')} {done}, {unread} cannot be read"
    typer.echo(said, err=diff)
    if unread or (changed and (check or diff)):
        raise typer.Exit(1)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _wording(files: list[Path], game: str) -> Wording:
    """Give what writes a text; the words are those of the game and of the cards in the files, which must be sets."""
    from rulewright.apps.check_game import checked_game
    from rulewright.cards.canonical import canonical_text
    from rulewright.cards.sets import load_sets

    known = checked_game(game)
    words = known.words([*known.cards, *(card for one in load_sets(files) for card in one.cards)])
    return lambda text: canonical_text(text, words)


def _files(paths: list[Path]) -> list[Path]:
    from rulewright.cards.checks.files import files_in, kind_of

    return [file for path in paths for file in files_in(path) if kind_of(file) == "set"]


def _format(path: Path, wording: Wording, *, write: bool, show: bool) -> tuple[int, int]:
    """Format one file; give how many texts change and how many cannot be read."""
    source = text_of(path).replace("\r\n", "\n")
    changed = unread = 0

    def change(found: PlacedText) -> str:
        nonlocal changed, unread
        try:
            wanted = wording(found.text)
        except RulewrightError as error:
            unread += 1
            hint = f" ({error.help})" if error.help else ""
            typer.echo(f"{path}:{found.line}: {found.card}: {error.message}{hint}", err=True)
            return found.text
        changed += wanted != found.text
        return wanted

    formatted = changed_texts(source, change, str(path))
    if show and formatted != source:
        _show(path, source, formatted)
    if write and formatted != source:
        put_back(path, formatted)
    return changed, unread


def _show(path: Path, before: str, after: str) -> None:
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), f"{path}", f"{path} (canonical)", lineterm="", n=1
    )
    for line in lines:
        typer.echo(line)
