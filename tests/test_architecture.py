"""The house stays in order: imports go one way, no card and no machine is named in code, nothing is left half done."""

import ast
import json
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
SOURCE_ROOT = CHECKOUT / "interpreter"
PACKAGE = "rulewright"

MAY_IMPORT = {
    "apps": {"play", "engine", "cards", "rules", "language"},
    "play": {"engine", "cards", "rules", "language"},
    "engine": {"cards", "rules", "language"},
    "cards": {"language"},
    "rules": {"language"},
    "language": set(),
}
"""What each area may import besides itself and the modules at the root of the package, which belong to no area."""

ENGINE_FLOORS = (
    {"state", "log"},
    {"program"},
    {"query"},
    {"run"},
    {"events"},
    {"playing"},
    {"instructions"},
    {"turn"},
    {"kernel", "view"},
    {"game"},
)
"""The parts of the engine from the ground up; none needs one above it, but to name a type."""

SOURCES = sorted((SOURCE_ROOT / PACKAGE).rglob("*.py"))


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE_ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in SOURCES}


def area(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in MAY_IMPORT else None


def imported_names(module: str, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The modules of the package that one import statement names."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        base = node.module or ""
        if node.level:
            is_package = MODULES[module].name == "__init__.py"
            parents = module.split(".")[
                : None if is_package and node.level == 1 else -node.level + is_package
            ]
            base = ".".join([*parents, base] if base else parents)
        named = [f"{base}.{alias.name}" for alias in node.names]
        names = [name if name in MODULES else base for name in named]
    return (name for name in names if name.split(".")[0] == PACKAGE)


def imports(module: str, *, only_at_import_time: bool = False) -> set[str]:
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    nodes = tree.body if only_at_import_time else ast.walk(tree)
    return {
        name
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in imported_names(module, node)
    }


def test_every_area_has_its_place_in_the_order() -> None:
    folders = {path.parent.name for path in (SOURCE_ROOT / PACKAGE).glob("*/__init__.py")}
    assert folders == set(MAY_IMPORT)


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_one_way(module: str) -> None:
    here = area(module)
    # The root modules (errors, paths, cache) lie below every area; __main__ is the command line itself.
    allowed = set(MAY_IMPORT) if module.endswith("__main__") else MAY_IMPORT[here] | {here} if here else set()
    against = sorted(name for name in imports(module) if area(name) is not None and area(name) not in allowed)
    assert against == []


def test_no_module_imports_itself_over_others() -> None:
    graph = {module: imports(module, only_at_import_time=True) - {module} for module in MODULES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("modules import each other: " + " -> ".join(error.args[1]))


def imports_at_work(module: str) -> set[str]:
    """What a module needs when it runs, in functions too: all but what it imports to name types."""
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    return {name for node in nodes for name in imported_names(module, node)}


def test_the_parts_of_the_engine_stand_on_each_other() -> None:
    floor = {part: level for level, parts in enumerate(ENGINE_FLOORS) for part in parts}
    inside = {name: name.split(".") for name in MODULES if name.startswith("rulewright.engine.")}
    assert {parts[2] for parts in inside.values()} == set(floor)
    upward = [
        f"{module} -> {name}"
        for module, parts in inside.items()
        for name in imports_at_work(module)
        if name in inside and floor[inside[name][2]] > floor[parts[2]]
    ]
    assert upward == []


def code_strings(path: Path) -> list[tuple[int, str]]:
    """The string constants of a module, with their lines, docstrings left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose
    ]


def test_no_card_is_named_in_code(shared: Path) -> None:
    with (shared / "corpus" / "cards.jsonl").open(encoding="utf-8") as rows:
        names = {json.loads(row)["name"] for row in rows}
    # A name of several words is looked for anywhere; one word may be plain English, so only as a whole string.
    long_name = re.compile("|".join(rf"\b{re.escape(name)}(?!\w)" for name in sorted(names) if " " in name))
    found = []
    for path in [*SOURCES, *sorted((CHECKOUT / "grammar").rglob("*.lark"))]:
        lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        found += [f"{path.name}:{n}: {m.group()}" for n, line in lines for m in long_name.finditer(line)]
    for path in SOURCES:
        found += [f"{path.name}:{n}: {text}" for n, text in code_strings(path) if text in names]
    assert found == []


def project_files() -> list[Path]:
    """The project's own text files: what lies in its folders and at its root, built things left out."""
    folders = ("interpreter", "grammar", "cardtexts", "rulesdb", "tests", ".ci")
    inside = [path for folder in folders for path in (CHECKOUT / folder).rglob("*")]
    return sorted(
        path
        for path in [*inside, *CHECKOUT.glob("*.*"), CHECKOUT / "Makefile"]
        if path.is_file()
        and path.name != ".git"
        and "__pycache__" not in path.parts
        and path.suffix not in {".pyc", ".so"}
    )


def lines_that_match(pattern: re.Pattern[str], paths: list[Path]) -> list[str]:
    return [
        f"{path.relative_to(CHECKOUT)}:{number}: {line.strip()}"
        for path in paths
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if pattern.search(line)
    ]


def test_no_path_of_one_machine_is_written_down() -> None:
    home = re.compile(r"""(?:^|[\s"'`(=:])/(?:root|work|home|Users|tmp|opt)/\w""")
    assert lines_that_match(home, project_files()) == []


def test_nothing_is_left_half_done() -> None:
    mark = re.compile(
        "|".join(rf"\b{first}{rest}\b" for first, rest in [("TO", "DO"), ("FIX", "ME"), ("XX", "X")])
    )
    assert lines_that_match(mark, [path for path in project_files() if path.suffix != ".jsonl"]) == []
