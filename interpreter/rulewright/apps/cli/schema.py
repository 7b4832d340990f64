"""``rulewright schema``: the JSON Schema of a card's meaning or of a data file."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.apps.cli.frame import new_app
from rulewright.errors import UsageError
from rulewright.paths import data_dir, write_atomically

app = new_app()

AST = "ast"


@app.command()
def schema(
    name: Annotated[str | None, typer.Argument(help="The schema to print; none lists them all.")] = None,
    write: Annotated[
        bool, typer.Option("--write", help="With ast: write grammar/ast.schema.json and docs/ast.md again.")
    ] = False,
) -> None:
    """Print the JSON Schema of a card's meaning (ast) or of a data file (rules, set, scenario ...).

    \b
    Example: rulewright schema ast
    """
    if write and name != AST:
        raise UsageError(
            "only the schema of the meaning is made from code", help="rulewright schema ast --write"
        )
    if write:
        _write_ast()
    elif name is None:
        typer.echo("\n".join(_names()))
    elif name == AST:
        from rulewright.language.tree import schema_text

        typer.echo(schema_text(), nl=False)
    elif name in _files():
        typer.echo(_files()[name].read_text(encoding="utf-8"), nl=False)
    else:
        raise UsageError(f"there is no schema {name!r}", help=f"known: {', '.join(_names())}")


def _names() -> list[str]:
    return [AST, *sorted(set(_files()) - {AST})]


def _files() -> dict[str, Path]:
    return {path.name.removesuffix(".schema.json"): path for path in data_dir().glob("*/*.schema.json")}


def _write_ast() -> None:
    from rulewright.language.ast_page import PAGE, page
    from rulewright.language.tree import SCHEMA_FILE, schema_text

    for path, text in [
        (data_dir() / "grammar" / SCHEMA_FILE, schema_text()),
        (data_dir() / "docs" / PAGE, page()),
    ]:
        if path.parent.is_dir():
            write_atomically(path, text)
            typer.echo(f"wrote {path.parent.name}/{path.name}")
