"""``rulewright card``: shows a card, or finds cards by facts and by what they mean."""

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from rulewright.apps.cli.at_hand import SetsOption, pool_at_hand
from rulewright.apps.cli.frame import DEFAULT_GAME, FormatOption, GameOption, OutputFormat, new_app
from rulewright.apps.cli.lines import Line, line, print_lines
from rulewright.errors import RulewrightError, UsageError

if TYPE_CHECKING:
    from rulewright.cards import CardDefinition, Pool
    from rulewright.cards.query import Selector
    from rulewright.language.ast import Node
    from rulewright.rules import Entry, RulesDatabase

app = new_app()


@app.command()
def card(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME...]", help="Names or codes of cards.")
    ] = None,
    where: Annotated[
        str | None, typer.Option("--where", metavar="SELECTOR", help="Cards whose meaning has such a part.")
    ] = None,
    type_: Annotated[
        list[str] | None, typer.Option("--type", metavar="WORD", help="Only cards of this type or supertype.")
    ] = None,
    domain: Annotated[
        list[str] | None, typer.Option("--domain", metavar="WORD", help="Only of this domain.")
    ] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", metavar="TAG", help="Only with this tag.")] = None,
    of_set: Annotated[
        list[str] | None, typer.Option("--set", metavar="CODE", help="Only of these sets.")
    ] = None,
    rule: Annotated[
        str | None, typer.Option("--rule", metavar="NUMBER", help="Only cards that touch this rule.")
    ] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="DATE", help="The cards as they were on a day.")
    ] = None,
    sets: SetsOption = None,
    game: GameOption = DEFAULT_GAME,
    output: FormatOption = OutputFormat.TEXT,
) -> None:
    """Show cards with the reading of each ability and the rules it touches, or find cards by what they do.

    The selector is described on the page docs/selectors.md.

    \b
    Examples:
      rulewright card "Glass Heron"
      rulewright card --where "Gated[gate.name=Deathknell] Action[verb=draw]"
      rulewright card --type unit --domain chaos --rule 811
    """
    from rulewright.rules import load

    pool = pool_at_hand(game, sets, as_of)
    rules = load(game)
    facts = Facts(type_ or [], domain or [], tag or [], of_set or [])
    looked_for = where is not None or rule is not None or any(facts)
    if names and looked_for:
        raise UsageError(
            "a card is named, and cards are looked for",
            help="name cards, or say what they are to be; not both",
        )
    if names:
        shown = [pool.find(name) for name in names]
        if output is OutputFormat.JSON:
            _print_json([_card_json(one, rules, pool) for one in shown])
        else:
            print_lines(
                each for number, one in enumerate(shown) for each in _card_lines(one, rules, pool, number > 0)
            )
        return
    if not looked_for:
        raise UsageError(
            "a name or something to look for is needed", help='try: rulewright card "Glass Heron"'
        )
    found, unread = _found(pool, rules, where, rule, facts)
    if output is OutputFormat.JSON:
        _print_json({"cards": [one.to_plain() | {"set": one.set} for one in found], "unread": unread})
        return
    lines = [line((one.name, "bold"), f"  {_facts(one)}") for one in found]
    note = f", {len(unread)} could not be read" if unread else ""
    counted = f"{len(found)} card{'' if len(found) == 1 else 's'}"
    print_lines([*lines, line((f"{counted}{note}", "dim"))])
    if not found:
        print_lines(_unmet_facts(facts, pool))
    if not found and where is not None:
        print_lines(_unmet(where, pool))


class Facts(NamedTuple):
    """The words for facts that are asked for; each card found has all of them, and is of one of the sets."""

    types: list[str]
    domains: list[str]
    tags: list[str]
    sets: list[str]


def _unmet_facts(facts: Facts, pool: "Pool") -> Iterator[Line]:
    """Tell the words for facts that no card has."""
    known = {
        "type": (facts.types, {"token"}.union(*((*one.supertypes, *one.types) for one in pool))),
        "domain": (facts.domains, {word for one in pool for word in one.domains}),
        "tag": (facts.tags, {word for one in pool for word in one.tags}),
        "set": (facts.sets, {one.set for one in pool}),
    }
    for what, (asked, there) in known.items():
        spelled = {word.casefold(): word for word in sorted(there)}
        for word in asked:
            if word.casefold() not in spelled:
                near = get_close_matches(word.casefold(), spelled, n=1)
                hint = f"; did you mean {spelled[near[0]]}?" if near else ""
                yield line((f"no card has the {what} {word}{hint}", "yellow"))


def _unmet(where: str, pool: "Pool") -> Iterator[Line]:
    """Tell the words of a selector that no card has: a slip finds nothing, as a true answer may."""
    from rulewright.cards.query import read_selector, unmet
    from rulewright.cards.reading import meanings

    def all_meanings() -> "Iterator[Node]":
        for one in pool:
            with suppress(RulewrightError):
                yield from meanings(one, pool.words)

    for what, near in unmet(read_selector(where), all_meanings()):
        hint = f"; did you mean {near}?" if near else ""
        yield line((f"no card has {what}{hint}", "yellow"))


def _found(
    pool: "Pool", rules: "RulesDatabase", where: str | None, rule: str | None, facts: Facts
) -> tuple[list["CardDefinition"], list[str]]:
    from rulewright.cards.query import read_selector

    selector = None if where is None else read_selector(where)
    numbers = {entry.number for entry in rules.subtree(rules.entry(rule).number)} if rule else None
    found: list[CardDefinition] = []
    unread: list[str] = []
    for one in pool:
        if not _fits(one, facts):
            continue
        try:
            if _means(one, selector, pool) and _touches(one, rules, numbers, pool):
                found.append(one)
        except RulewrightError:
            unread.append(one.name)
    return found, unread


def _fits(one: "CardDefinition", facts: Facts) -> bool:
    return (
        all(one.has_type(word.lower()) for word in facts.types)
        and all(word.lower() in one.domains for word in facts.domains)
        and all(word.casefold() in map(str.casefold, one.tags) for word in facts.tags)
        and (not facts.sets or one.set.casefold() in map(str.casefold, facts.sets))
    )


def _means(one: "CardDefinition", selector: "Selector | None", pool: "Pool") -> bool:
    from rulewright.cards.reading import meanings

    if selector is None:
        return True
    return any(True for meaning in meanings(one, pool.words) for _ in selector.found_in(meaning))


def _touches(one: "CardDefinition", rules: "RulesDatabase", numbers: set[str] | None, pool: "Pool") -> bool:
    from rulewright.apps.touched import rules_touched
    from rulewright.cards.reading import meanings

    if numbers is None:
        return True
    return any(
        entry.number in numbers
        for meaning in meanings(one, pool.words)
        for entry in rules_touched(meaning, rules)
    )


def _facts(one: "CardDefinition") -> str:
    kind = " ".join([*one.supertypes, *one.types, *(["token"] if one.token else [])])
    figures = ", ".join(f"{value} {name.replace('_', ' ')}" for name, value in one.figures)
    parts = [one.code, kind, " and ".join(one.domains), figures, ", ".join(one.tags)]
    return " - ".join(part for part in parts if part)


def _readings(
    one: "CardDefinition", rules: "RulesDatabase", pool: "Pool"
) -> Iterator[tuple[str, str, tuple["Entry", ...]]]:
    # For each ability: where it stands, how the canonical wording says it, the rules it touches.
    from rulewright.apps.touched import rules_touched
    from rulewright.cards.reading import meanings
    from rulewright.language.ast import CardText
    from rulewright.language.print import print_text

    for where, meaning in zip(("", "gives"), meanings(one, pool.words), strict=True):
        for ability in meaning.abilities:
            yield where, print_text(CardText((ability,)), pool.words), rules_touched(ability, rules)


def _card_lines(one: "CardDefinition", rules: "RulesDatabase", pool: "Pool", again: bool) -> list[Line]:
    lines = [line()] if again else []
    lines += [line((one.name, "bold")), line((_facts(one), "dim"), indent=2)]
    try:
        for where, said, entries in _readings(one, rules, pool):
            prefix = f"{where}: " if where else ""
            lines += [line(prefix, (part, "green"), indent=2) for part in said.splitlines()]
            lines += [line((entry.number, "cyan"), f"  {entry.title}", indent=6) for entry in entries]
    except RulewrightError as error:
        lines += [line((part, "yellow"), indent=2) for part in (one.text or one.effect_text).splitlines()]
        lines.append(line(("not read: ", "red"), str(error), indent=2))
    if one.printings:
        lines.append(line(("also printed as " + ", ".join(one.printings), "dim"), indent=2))
    return lines


def _card_json(one: "CardDefinition", rules: "RulesDatabase", pool: "Pool") -> dict[str, Any]:
    from rulewright.cards.reading import meanings
    from rulewright.language.tree import to_json

    plain: dict[str, Any] = {**one.to_plain(), "set": one.set}
    try:
        text, effect = meanings(one, pool.words)
        plain["meaning"] = to_json(text)
        if one.effect_text:
            plain["effect_meaning"] = to_json(effect)
        plain["abilities"] = [
            {"where": where or "text", "wording": said, "rules": [entry.number for entry in entries]}
            for where, said, entries in _readings(one, rules, pool)
        ]
    except RulewrightError as error:
        plain["not_read"] = str(error)
    return plain


def _print_json(plain: Any) -> None:
    json.dump(plain, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")
