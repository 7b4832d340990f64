"""Checks the facts of cards: words, figures and costs that cannot be so, and names, numbers and codes that clash."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path

from rulewright.cards.card import CardDefinition
from rulewright.cards.checks.facts import GameFacts
from rulewright.cards.checks.files import CheckedCard, CheckedFile
from rulewright.cards.checks.findings import Finding, made
from rulewright.cards.pool import name_key
from rulewright.language.outcome import Diagnostic


def fact_findings(file: str, checked: CheckedCard, facts: GameFacts) -> Iterator[Finding]:
    """Yield what is found in the facts of one card, by themselves."""
    for key, diagnostic in _facts(checked.card, facts):
        yield Finding(file, checked.place(key), diagnostic, checked.card.name, key)


def _facts(card: CardDefinition, facts: GameFacts) -> Iterator[tuple[str, Diagnostic]]:
    for word in card.types:
        if facts.types and word not in facts.types:
            yield "type", _unknown("RW307", word, "is no type of card", facts.types)
    for word in card.supertypes:
        if facts.supertypes and word not in facts.supertypes:
            yield "supertypes", _unknown("RW308", word, "is no supertype", facts.supertypes)
        elif (
            facts.supertypes
            and (allowed := facts.supertypes[word][0])
            and set(allowed).isdisjoint(card.types)
        ):
            message = f"a {' '.join(card.types)} is never {word}"
            help_text = f"the supertype is for {' and '.join(allowed)}"
            yield "supertypes", made("RW312", message, rule=facts.supertypes[word][1], help=help_text)
    for word in card.domains:
        if facts.domains and word not in facts.domains:
            yield "domains", _unknown("RW309", word, "is no domain", facts.domains, facts.domains_rule)
    yield from _figures(card, facts)
    yield from _halves(card, facts)


def _halves(card: CardDefinition, facts: GameFacts) -> Iterator[tuple[str, Diagnostic]]:
    bears = facts.half_tag in card.tags and not set(facts.half_types).isdisjoint(card.types)
    if bears or not facts.half_types:
        return
    bearer = f"a {' or '.join(facts.half_types)} with the tag {facts.half_tag}"
    if card.effect_text:
        yield "effect_text", made("RW313", f"only {bearer} gives abilities away", rule=facts.half_rule)
    # A figure that the type cannot have at all is told as such.
    type_fits = not set(facts.half_types).isdisjoint(card.types)
    if type_fits and facts.half_figure and card.figure(facts.half_figure) is not None:
        what = facts.half_figure.replace("_", " ")
        help_text = f"give it the tag {facts.half_tag}, or leave the {what} out"
        yield (
            facts.half_figure,
            made("RW313", f"only {bearer} has a {what}", rule=facts.half_rule, help=help_text),
        )


def _unknown(code: str, word: str, what: str, known: Iterable[str], rule: str | None = None) -> Diagnostic:
    names = list(known)
    close = get_close_matches(word, names, 1, 0.6)
    help_text = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(names)}"
    return made(code, f"{word!r} {what}", help=help_text, rule=rule)


def _figures(card: CardDefinition, facts: GameFacts) -> Iterator[tuple[str, Diagnostic]]:
    known = [facts.types[word] for word in card.types if word in facts.types]
    if not known or len(known) != len(card.types):
        return
    rule = known[0].rule
    has = dict(card.figures)
    # 187: a token has no cost, and its effect may say the rest.
    missing = () if card.token else dict.fromkeys(figure for one in known for figure in one.needs)
    for figure in missing:
        if figure not in has:
            yield "name", made("RW310", f"a {' '.join(card.types)} needs the figure {figure!r}", rule=rule)
    allowed = {figure for one in known for figure in one.figures}
    for figure in has:
        if figure not in allowed:
            message = f"a {' '.join(card.types)} has no {figure.replace('_', ' ')}"
            yield figure, made("RW311", message, rule=rule)
    if facts.runes is not None and has.get("power", 0) > facts.runes:
        message = f"a deck has {facts.runes} runes, and this takes {has['power']}"
        yield "power", made("RW306", message, rule=facts.runes_rule)
    if has.get("power") and not card.domains and facts.domains:
        message = "the Power of a cost is of the card's domains, and it has none"
        yield "power", made("RW306", message, rule=facts.payment_rule)


# ----------------------------------------------------------------------------------------------- between cards


def joint_findings(
    files: Iterable[CheckedFile], known: Iterable[CardDefinition], facts: GameFacts
) -> Iterator[Finding]:
    """Yield what is found between the cards of all files: what clashes, and what looks like a slip.

    ``known`` are cards of other sets, with which these may not clash either.
    """
    files = list(files)
    every = [(file, card) for file in files for card in file.cards]
    yield from _in_one_set(files)
    yield from _between_sets(every, list(known))
    yield from _deckless(every, list(known), facts)
    yield from _rare_tags(every, list(known))
    names = {card.card.name for _, card in every} | {card.name for card in known}
    yield from _unknown_cards(files, names)


def _in_one_set(files: list[CheckedFile]) -> Iterator[Finding]:
    for file in files:
        for key, code in (("name", "RW411"), ("number", "RW412")):
            first: dict[str, CheckedCard] = {}
            for one in file.cards:
                said = getattr(one.card, key)
                if not said:
                    continue
                before = first.setdefault(said.casefold(), one)
                if before is not one:
                    line = before.place(key).line
                    message = f"the {key} {said} stands here a second time"
                    yield Finding(
                        file.file,
                        one.place(key),
                        made(code, message, help=f"first on line {line}"),
                        one.card.name,
                        key,
                    )


def _between_sets(
    every: list[tuple[CheckedFile, CheckedCard]], known: list[CardDefinition]
) -> Iterator[Finding]:
    names: dict[str, CardDefinition] = {}
    alike: dict[str, str] = {}
    codes: dict[str, str] = {}
    for card in known:
        names.setdefault(card.name, card)
        alike.setdefault(name_key(card.name), card.name)
        for printed in (card.code, *card.printings) if card.number else card.printings:
            codes.setdefault(printed.upper(), card.name)
    for file, one in every:
        card = one.card
        before = names.setdefault(card.name, card)
        if before is not card and before.set != card.set and not _same_card(before, card):
            message = f"another card is named {card.name}, and is not the same"
            yield Finding(
                file.file,
                one.place("name"),
                made("RW413", message, help=f"it is in {Path(before.place).name}"),
                card.name,
                "name",
            )
        near = alike.setdefault(name_key(card.name), card.name)
        if near != card.name and near.casefold() != card.name.casefold():
            message = f"the name is too like {near}: people write both the same"
            yield Finding(file.file, one.place("name"), made("RW415", message), card.name, "name")
        for printed in (card.code, *card.printings) if card.number else card.printings:
            owner = codes.setdefault(printed.upper(), card.name)
            if owner.casefold() != card.name.casefold():
                key = "printings" if printed in card.printings else "number"
                if key == "number" and any(
                    card.set == other.card.set and other.card.name == owner for _, other in every
                ):
                    continue
                message = f"the code {printed} is that of {owner} too"
                yield Finding(file.file, one.place(key), made("RW414", message), card.name, key)


def _same_card(one: CardDefinition, other: CardDefinition) -> bool:
    """Whether two cards of one name have the same facts; their texts may be worded otherwise."""
    facts = ("types", "supertypes", "domains", "figures", "tags", "token")
    return all(getattr(one, fact) == getattr(other, fact) for fact in facts)


def identities_of(cards: Iterable[CardDefinition], facts: GameFacts) -> tuple[frozenset[str], ...]:
    """Give the domains of each card that fixes the domains of a deck, each once."""
    found = (frozenset(card.domains) for card in cards if facts.identity in card.types and card.domains)
    return tuple(dict.fromkeys(found))


def _deckless(
    every: list[tuple[CheckedFile, CheckedCard]], known: list[CardDefinition], facts: GameFacts
) -> Iterator[Finding]:
    """103.1.b.4: a card of several domains is only in decks that have all of them."""
    identities = identities_of([*(card.card for _, card in every), *known], facts)
    for file, one in every:
        domains = set(one.card.domains)
        ruled = facts.identity not in one.card.types and domains <= set(facts.domains)
        if identities and ruled and not any(domains <= identity for identity in identities):
            message = (
                f"no legend has the domains {', '.join(one.card.domains)}, so that no deck has this card"
            )
            diagnostic = made("RW306", message, rule=facts.payment_rule)
            yield Finding(file.file, one.place("domains"), diagnostic, one.card.name, "domains")


def _rare_tags(
    every: list[tuple[CheckedFile, CheckedCard]], known: list[CardDefinition]
) -> Iterator[Finding]:
    """A tag that no other card has, and that is nearly one that others have, was meant to be that one."""
    bearers: dict[str, int] = {}
    for card in [*(one.card for _, one in every), *known]:
        for tag in card.tags:
            bearers[tag] = bearers.get(tag, 0) + 1
    common = [tag for tag, count in bearers.items() if count > 1]
    for file, one in every:
        for tag in one.card.tags:
            near = get_close_matches(tag, common, 1, 0.8) if bearers[tag] == 1 else []
            if near and near[0] != tag:
                message = f"no other card has the tag {tag!r}"
                diagnostic = made("RW314", message, help=f"did you mean {near[0]!r}?")
                yield Finding(file.file, one.place("tags"), diagnostic, one.card.name, "tags")


def _unknown_cards(files: list[CheckedFile], names: set[str]) -> Iterator[Finding]:
    for file in files:
        for name, place in file.named:
            if name not in names and names:
                close = get_close_matches(name, names, 1, 0.7)
                help_text = f"did you mean {close[0]!r}?" if close else None
                diagnostic = made("RW416", f"there is no card {name!r}", help=help_text)
                yield Finding(file.file, place, diagnostic, name)
