"""Finds the cards that somebody's words mean: by name, by a part of a name, by traits that tell them apart (761)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulewright.cards.card import CardDefinition

Synonyms = Mapping[str, Sequence[str]]
"""For each domain, or each figure, the words that mean it."""


def cards_meant(
    words: str, cards: Iterable[CardDefinition], domains: Synonyms, figures: Synonyms
) -> tuple[CardDefinition, ...]:
    """Give all cards that some words fit; a card whose whole name they are is the only one (761.1).

    ``domains`` and ``figures`` give the words for each domain (``{"mind": ["blue"]}``) and each figure. Numbers are
    said with their figure; the other words are domains, types and supertypes, and a part of the name, in that order.

    >>> guards = [CardDefinition(f"Guard, {n}", ("unit",), figures=(("might", n),)) for n in (1, 2)]
    >>> [card.name for card in cards_meant("the 1 Might Guard", guards, {}, {"might": ["Might"]})]
    ['Guard, 1']
    """
    known = tuple(cards)
    if exact := tuple(card for card in known if card.name.casefold() == words.strip().casefold()):
        return exact
    rest, numbers = _numbers(words, figures)
    said = _tokens(rest)
    if said[:1] == ("the",):
        said = said[1:]
    fitting = [card for card in known if all(card.figure(name) == number for name, number in numbers)]
    found = [card for card in fitting if (said or numbers) and _fits(card, said, domains)]
    return tuple(found)


def _numbers(words: str, figures: Synonyms) -> tuple[str, list[tuple[str, int]]]:
    """Take the figures out of some words: ``6 [M]`` and ``[6] Energy``."""
    found: list[tuple[str, int]] = []
    for figure, names in figures.items():
        said = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        pattern = re.compile(rf"(?<!\S)\[?(\d+)\]?[ -]?(?:{said})(?!\w)", re.IGNORECASE)
        found += [(figure, int(match[1])) for match in pattern.finditer(words)]
        words = pattern.sub(" ", words)
    return words, found


def _tokens(words: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", words.casefold().replace("’", "'")))


def _fits(card: CardDefinition, said: tuple[str, ...], domains: Synonyms) -> bool:
    """Tell whether words name traits of a card and then a part of its name, wherever the name may begin."""
    traits = {*card.types, *card.supertypes, *card.domains}
    traits |= {word.casefold() for domain in card.domains for word in domains.get(domain, ())}
    name = _tokens(card.name)
    for split in range(len(said) + 1):
        if said[split:] == () or said[split:] in _parts(name, len(said) - split):
            return True
        if split < len(said) and said[split] not in traits:
            return False
    return False


def _parts(name: tuple[str, ...], length: int) -> Iterator[tuple[str, ...]]:
    return (name[at : at + length] for at in range(len(name) - length + 1))
