"""Writes findings for people and for programs: full, concise, JSON, annotations of GitHub, SARIF 2.1.0."""

import json
from collections.abc import Iterator
from pathlib import Path

from rulewright import __version__
from rulewright.cards.checks.findings import Finding, pages
from rulewright.cards.checks.run import Report
from rulewright.data_files import Plain
from rulewright.language.outcome import pointed_at

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
"""Where the schema of SARIF 2.1.0 is published."""

SHOWN_EXPECTED = 4
"""How many names of what was expected stand behind the carets; the rest is told below."""


def full(report: Report) -> Iterator[str]:
    """Yield the lines that tell each finding with its source line, what is meant in it, and what to do."""
    for finding in report.findings:
        yield from _told(finding, report)
        yield ""
    yield summary(report)


def _told(finding: Finding, report: Report) -> Iterator[str]:
    one, place = finding.diagnostic, finding.place
    yield f"{one.severity}[{one.code}] {pages()[one.code].name}: {one.message}"
    about = f"  {finding.card}" if finding.card else ""
    yield f"  --> {finding.file}:{place.line}:{place.column}{about}"
    margin = " " * len(str(place.line))
    line = report.line(finding.file, place.line)
    if line.strip():
        yield f"{margin} |"
        yield from _source(finding, line, margin)
    hidden = len(one.expected) > SHOWN_EXPECTED
    if hidden:
        yield f"{margin} = expected: {'; '.join(one.expected)}"
    for note in one.notes:
        yield f"{margin} = {note}"
    help_text = _help(finding)
    if help_text:
        yield f"{margin} = {help_text}"
    if one.rule:
        yield f"{margin} = rule {one.rule}"


def _source(finding: Finding, line: str, margin: str) -> Iterator[str]:
    one, place = finding.diagnostic, finding.place
    start = place.column - 1
    same_line = place.end_line == place.line
    width = max(1, (place.end_column - place.column) if same_line else len(line) - start)
    shown, marks = pointed_at(line, start, width)
    expected = f" expected: {'; '.join(one.expected)}" if 0 < len(one.expected) <= SHOWN_EXPECTED else ""
    yield f"{place.line} | {shown}"
    yield f"{margin} | {marks}{expected}"


def _help(finding: Finding) -> str:
    one = finding.diagnostic
    if one.fix is not None and one.fix.safe:
        return f"{one.help}  (rulewright check --fix)" if one.help else "rulewright check --fix puts it right"
    return one.help or ""


def summary(report: Report) -> str:
    """Give one line that counts what was looked at and what was found."""
    counts = [
        _count(len(report.files), "file"),
        _count(report.cards, "card"),
        f"{_count(report.texts, 'text')} ({report.read} read anew)",
        _count(report.errors, "error"),
        _count(report.warnings, "warning"),
    ]
    fixed = f"; {_count(report.fixed, 'text')} put right" if report.fixed else ""
    return ", ".join(counts) + fixed


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def concise(report: Report) -> Iterator[str]:
    """Yield one line for each finding: place, code, message, card."""
    for finding in report.findings:
        one, place = finding.diagnostic, finding.place
        about = f" [{finding.card}]" if finding.card else ""
        yield f"{finding.file}:{place.line}:{place.column}: {one.code} {one.severity}: {one.message}{about}"


def github(report: Report) -> Iterator[str]:
    """Yield one annotation command of GitHub's workflows for each finding."""
    for finding in report.findings:
        one, place = finding.diagnostic, finding.place
        parts = {
            "file": finding.file,
            "line": str(place.line),
            "col": str(place.column),
            "endLine": str(place.end_line),
            "endColumn": str(place.end_column),
            "title": f"{one.code} {pages()[one.code].name}",
        }
        said = ",".join(f"{key}={_property(value)}" for key, value in parts.items())
        about = f"{finding.card}: " if finding.card else ""
        text = "\n".join([f"{about}{one.message}", *one.notes, *([one.help] if one.help else [])])
        yield f"::{one.severity} {said}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


# ----------------------------------------------------------------------------------------------- for programs


def as_json(report: Report) -> str:
    """Give the report as JSON: what was looked at, and each finding with its place, expected names, help and fix."""
    plain = {
        "files": len(report.files),
        "cards": report.cards,
        "texts": report.texts,
        "errors": report.errors,
        "warnings": report.warnings,
        "fixed": report.fixed,
        "findings": [_finding_plain(one) for one in report.findings],
    }
    return json.dumps(plain, ensure_ascii=False, indent=2) + "\n"


def _finding_plain(finding: Finding) -> dict[str, Plain]:
    one, place = finding.diagnostic, finding.place
    return {
        "code": one.code,
        "name": pages()[one.code].name,
        "severity": one.severity,
        "file": finding.file,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
        "card": finding.card or None,
        "key": finding.key or None,
        "span": list(one.span),
        "message": one.message,
        "expected": list(one.expected),
        "notes": list(one.notes),
        "help": one.help,
        "rule": one.rule,
        "fix": {"span": list(one.fix.span), "text": one.fix.text, "safe": one.fix.safe} if one.fix else None,
    }


def sarif(report: Report) -> str:
    """Give the report as SARIF 2.1.0, as code scanning of GitHub and editors read it."""
    used = {finding.code for finding in report.findings}
    rules = [
        {
            "id": page.code,
            "name": "".join(part.capitalize() for part in page.name.split("-")),
            "shortDescription": {"text": page.title},
            "fullDescription": {"text": page.about.strip()},
            "help": {"text": page.repair},
            "defaultConfiguration": {"level": page.severity},
        }
        for page in pages().values()
        if page.code in used
    ]
    order = {rule["id"]: position for position, rule in enumerate(rules)}
    run = {
        "tool": {
            "driver": {
                "name": "rulewright",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": rules,
            }
        },
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": {"uri": _uri(one.file)}} for one in report.files],
        "results": [_result(one, order[one.code]) for one in report.findings],
    }
    return (
        json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2)
        + "\n"
    )


def _result(finding: Finding, rule: int) -> dict[str, Plain]:
    one, place = finding.diagnostic, finding.place
    about = f"{finding.card}: " if finding.card else ""
    text = "\n".join([f"{about}{one.message}", *one.notes, *([one.help] if one.help else [])])
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": max(place.end_column, place.column)
        if place.end_line == place.line
        else place.end_column,
    }
    location = {"artifactLocation": {"uri": _uri(finding.file)}, "region": region}
    result: dict[str, Plain] = {
        "ruleId": one.code,
        "ruleIndex": rule,
        "level": one.severity,
        "message": {"text": text},
        "locations": [{"physicalLocation": location}],
    }
    properties = {"card": finding.card, "key": finding.key, "gameRule": one.rule or ""}
    if said := {key: value for key, value in properties.items() if value}:
        result["properties"] = said
    return result


def _uri(file: str) -> str:
    from urllib.parse import quote

    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
