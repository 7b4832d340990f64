"""Reads the file of a public export as plain data: JSON, JSON lines, CSV, or the saved page of the gallery."""

import csv
import io
import re
from collections.abc import Sequence

from rulewright.data_files import DataFileError, Plain, plain_json, text_from
from rulewright.errors import RulewrightError


class ExportError(RulewrightError):
    """An export that cannot be read, or whose numbers do not fit: nothing of it is used."""


def export_plain(content: bytes, file: str) -> Plain:
    """Give what a file holds, by what it begins with. Raises :class:`ExportError` with the place.

    >>> export_plain(b"name,number\\nEmber Fox,001\\n", "cards.csv")
    [{'name': 'Ember Fox', 'number': '001'}]
    """
    try:
        return _plain(text_from(content, file), file)
    except DataFileError as error:
        raise ExportError(error.message, place=error.place, help=error.help) from error


def _plain(text: str, file: str) -> Plain:
    start = text.lstrip()[:1]
    if not start:
        raise ExportError("this is empty", place=file)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise ExportError("this is no text: it has a NUL character", place=f"{file}:{line}")
    if start == "<":
        return _page_data(text, file)
    if start == "[":
        return plain_json(text, file)
    if start == "{":
        lines = text.strip().splitlines()
        # A first line that is an object by itself, with others after it: JSON lines.
        return _json_lines(lines, file) if len(lines) > 1 and _is_json(lines[0]) else plain_json(text, file)
    return _csv(text, file)


def _page_data(text: str, file: str) -> Plain:
    found = re.search(r'<script[^>]*id="__NEXT_DATA__"[^>]*>(.*?)</script>', text, re.DOTALL)
    if found is None:
        raise ExportError("this is a web page without the data of its cards", place=file)
    return plain_json(found[1], file, first_line=text.count("\n", 0, found.start(1)) + 1)


def _is_json(line: str) -> bool:
    try:
        plain_json(line, "")
    except DataFileError:
        return False
    return True


def _json_lines(lines: Sequence[str], file: str) -> Plain:
    return [
        plain_json(line, file, first_line=number)
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]


def _csv(text: str, file: str) -> Plain:
    try:
        dialect: type[csv.Dialect] | str = csv.Sniffer().sniff(text.split("\n", 1)[0], ",;\t")
    except csv.Error:
        dialect = "excel"
    reader = csv.DictReader(io.StringIO(text, newline=""), dialect=dialect, restkey="")
    try:
        rows = list(reader)
    except csv.Error as error:
        raise ExportError(f"this is not CSV: {error}", place=f"{file}:{reader.line_num}") from error
    for number, row in enumerate(rows, start=2):
        if "" in row or None in row.values():
            raise ExportError("this row has not as many cells as the first", place=f"{file}: row {number}")
    return rows
