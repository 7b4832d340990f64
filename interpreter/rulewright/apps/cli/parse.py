"""``rulewright parse``: reads card text and shows its meaning."""

import json
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from typing import Annotated, Any

import typer

from rulewright.apps.cli.frame import DEFAULT_GAME, FormatOption, GameOption, OutputFormat, new_app
from rulewright.errors import UsageError

app = new_app()


@app.command()
def parse(
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="The text of a card; - reads it from standard input.")
    ] = None,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Read JSON lines {id, text}, answer each with {id, ok, ast}.")
    ] = False,
    spans: Annotated[
        bool, typer.Option("--spans", help="Add the characters that each part was read from.")
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes that read, with --jsonl.")] = 2,
    game: GameOption = DEFAULT_GAME,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Read card text and show its meaning, or say why it cannot be read.

    \b
    Examples:
      rulewright parse "When I attack, draw 1."
      rulewright parse --format json "Deal 3 to a unit."
      rulewright parse --jsonl < texts.jsonl
    """
    if jsonl:
        if text is not None:
            raise UsageError("with --jsonl the texts are read from standard input, not named")
        for answer in _answers(_asked(sys.stdin.buffer), game, spans, jobs):
            sys.stdout.write(answer + "\n")
        return
    if text is None:
        message = 'rulewright parse "Draw 1.", or - for the text of standard input'
        raise UsageError("there is no text to read", help=message)
    if text == "-":
        text = _from_input(sys.stdin.buffer.read())
    if not _show(text, game, spans, output):
        raise typer.Exit(1)


def _from_input(content: bytes) -> str:
    from rulewright.data_files import text_from

    # The end of its last line is the terminal's, not the text's.
    return text_from(content, _INPUT).removesuffix("\n")


def _show(text: str, game: str, spans: bool, output: OutputFormat) -> bool:
    from rulewright.language import parse as read
    from rulewright.language.print import outline, rich_tree
    from rulewright.language.tree import to_json

    reading = read(text, game=game)
    if output is OutputFormat.JSON:
        meaning = to_json(reading.text, spans=spans) if reading.text is not None else None
        answer: dict[str, Any] = {
            "ok": reading.ok,
            "ast": meaning,
            "diagnostics": _as_json(reading.diagnostics),
        }
        json.dump(answer, sys.stdout, ensure_ascii=False, indent=2)
        sys.stdout.write("\n")
        return reading.ok
    if reading.text is not None and sys.stdout.isatty():
        from rich.console import Console

        Console().print(rich_tree(reading.text))
    elif reading.text is not None:
        typer.echo(outline(reading.text))
    for diagnostic in reading.diagnostics:
        typer.echo(_plainly(text, diagnostic))
    return reading.ok


def _as_json(diagnostics: Iterable[Any]) -> list[dict[str, Any]]:
    return [
        {
            "code": one.code,
            "severity": one.severity,
            "span": list(one.span),
            "message": one.message,
            "expected": list(one.expected),
            "help": one.help,
        }
        for one in diagnostics
    ]


def _plainly(text: str, diagnostic: Any) -> str:
    from rulewright.language.outcome import pointed_at

    start, end = diagnostic.span
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", start)
    line = text[line_start : line_end if line_end >= 0 else len(text)]
    shown, marks = pointed_at(line, start - line_start, min(end, line_start + len(line)) - start)
    expected = f" expected: {', '.join(diagnostic.expected)}" if diagnostic.expected else ""
    lines = [
        f"{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}",
        f"  | {shown}",
        f"  | {marks}{expected}",
    ]
    if diagnostic.help:
        lines.append(f"  = {diagnostic.help}")
    return "\n".join(lines)


Asked = tuple[Any, str]
"""What a line asks for: the id that its answer has, and the text."""


def _asked(lines: Iterable[bytes]) -> list[Asked]:
    """Read what is asked, whole before the first answer: a broken line ends the command with nothing answered."""
    from rulewright.data_files import plain_json, text_from

    asked: list[Asked] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        row = plain_json(text_from(line, f"{_INPUT}:{number}").strip(), _INPUT, first_line=number)
        if not isinstance(row, dict) or "id" not in row or not isinstance(row.get("text"), str):
            message = "a line is an object with an id and a text"
            raise UsageError(message, place=f"{_INPUT}:{number}", help='{"id": 1, "text": "Draw 1."}')
        asked.append((row["id"], row["text"]))
    return asked


_INPUT = "standard input"


def _answers(asked: list[Asked], game: str, spans: bool, jobs: int) -> Iterator[str]:
    source = iter(asked)
    chunks = list(iter(lambda: list(islice(source, 400)), []))
    if jobs <= 1 or len(chunks) <= 1:
        for chunk in chunks:
            yield from _read_chunk((chunk, game, spans))
        return
    with ProcessPoolExecutor(jobs) as pool:
        for answers in pool.map(_read_chunk, [(chunk, game, spans) for chunk in chunks]):
            yield from answers


def _read_chunk(work: tuple[list[Asked], str, bool]) -> list[str]:
    from rulewright.language.parse import reader_for
    from rulewright.language.tree import to_json

    asked, game, spans = work
    reader = reader_for(None, game)
    answers = []
    for one, text in asked:
        reading = reader.read(text, explain=False, spans=spans)
        meaning = to_json(reading.text, spans=spans) if reading.text is not None else None
        answers.append(json.dumps({"id": one, "ok": reading.ok, "ast": meaning}, ensure_ascii=False))
    return answers
