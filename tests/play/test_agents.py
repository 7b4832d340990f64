"""Agents answer with one of the options; the same seed gives the same answers."""

from collections import Counter
from types import SimpleNamespace

from rulewright.engine.state.objects import Decision, Option
from rulewright.play.agents import EagerAgent, RandomAgent, RandomSource


def test_the_random_source_gives_the_numbers_of_its_definition() -> None:
    # The published first values of SplitMix64 from the state 1234567.
    source = RandomSource(1234567)
    assert [source.next() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_every_number_below_the_bound_comes_up() -> None:
    source = RandomSource(7)
    counts = Counter(source.below(6) for _ in range(6000))
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    assert min(counts.values()) > 850


def test_the_random_agent_answers_alike_from_the_same_seed() -> None:
    decision = SimpleNamespace(options=[SimpleNamespace(id=f"o{n}", kind="play") for n in range(5)])
    answers = [[RandomAgent(3).choose(None, decision) for _ in range(3)] for _ in range(2)]
    assert answers[0] == answers[1]
    agent = RandomAgent(3)
    assert {agent.choose(None, decision) for _ in range(100)} == {"o0", "o1", "o2", "o3", "o4"}


def test_the_random_agent_seldom_adds_resources_that_nothing_asks_for() -> None:
    options = [SimpleNamespace(id="add", kind="add"), SimpleNamespace(id="pass", kind="pass")]
    agent = RandomAgent(3)
    answers = Counter(agent.choose(None, SimpleNamespace(options=options)) for _ in range(2100))
    assert 50 < answers["add"] < 150


class Purse:
    """A view of which an agent only asks what cards cost."""

    def __init__(self, costs: dict[int, int]) -> None:
        self.costs = costs

    def energy_cost(self, ref: int) -> int:
        return self.costs.get(ref, 0)


def chosen(agent: EagerAgent, costs: dict[int, int], *options: Option, kind: str = "action") -> Counter[str]:
    decision = Decision(0, kind, "", options, "")
    return Counter(agent.choose(Purse(costs), decision) for _ in range(600))


PASS = Option("pass", "pass", "pass", None)


def test_an_eager_agent_would_rather_react_than_pass_and_passes_all_the_same() -> None:
    answers = chosen(EagerAgent(1), {}, Option("play:1", "play", "play Spark", None), PASS, kind="priority")
    assert answers["play:1"] > 500
    assert answers["pass"] > 20


def test_an_eager_agent_does_not_move_more_for_having_more_units() -> None:
    moves = [Option(f"move:{n}", "move", f"move {n}", None) for n in range(20)]
    answers = chosen(EagerAgent(1), {}, Option("play:1", "play", "play Spark", None), *moves)
    assert answers["play:1"] > 200


def test_an_eager_agent_plays_what_is_dear_while_it_can_and_what_it_has_not_played() -> None:
    dear, cheap = (
        Option("play:1", "play", "play Dragon", None, 1),
        Option("play:2", "play", "play Imp", None, 2),
    )
    answers = chosen(EagerAgent(1), {1: 7, 2: 1}, dear, cheap)
    assert answers["play:1"] > 3 * answers["play:2"] > 0
    agent = EagerAgent(1)
    agent.used.add("play Dragon")
    again = chosen(agent, {1: 1, 2: 1}, dear, cheap)
    assert again["play:2"] > again["play:1"]
    assert agent.used == {"play Dragon", "play Imp"}


def test_an_eager_agent_may_decline_and_seldom_does() -> None:
    answers = chosen(
        EagerAgent(1), {}, Option("yes", "yes", "yes", True), Option("no", "no", "no", False), kind="may"
    )
    assert answers["yes"] > 2 * answers["no"] > 0


def test_games_are_played_in_more_than_one_temper() -> None:
    assert len({EagerAgent(seed).acts["move"] for seed in range(20)}) > 1
