"""Turns the HTML in which exports keep card text into lines; symbols stay as they are, the language reads them."""

import html
from html.parser import HTMLParser

_BREAKS = frozenset({"br", "p", "div", "ul", "ol", "li", "tr", "hr"})
_UNSEEN = frozenset({"script", "style", "head", "title", "template", "noscript"})


class _Lines(HTMLParser):
    """Collects text: a paragraph, line break or list item begins a line; what a page does not show is left out."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._unseen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a line, or something unseen."""
        if tag in _UNSEEN:
            self._unseen.append(tag)
        if tag in _BREAKS:
            self.pieces.append("\n• " if tag == "li" else "\n")

    def handle_endtag(self, tag: str) -> None:
        """End a line, or something unseen."""
        if tag in self._unseen:
            self._unseen.remove(tag)
        if tag in _BREAKS:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        """Take text that is shown; a line's own break in the source is only a space in HTML."""
        if not self._unseen:
            self.pieces.append(data)


def plain_lines(text: str) -> str:
    """Give the text of a piece of HTML, a paragraph or list item a line.

    Breaks that the text itself has are kept: many exports mix both.

    >>> plain_lines("<p>[Tank] <em>(Hit me first.)</em><br />Draw 1.</p><ul><li>One &amp; two</li></ul>")
    '[Tank] (Hit me first.)\\nDraw 1.\\n• One & two'
    """
    if "<" in text:
        reader = _Lines()
        reader.feed(text)
        reader.close()
        text = "".join(reader.pieces)
    else:
        text = html.unescape(text)
    lines = (" ".join(line.split()) for line in text.replace("\xa0", " ").splitlines())
    return "\n".join(line for line in lines if line and line != "•")
