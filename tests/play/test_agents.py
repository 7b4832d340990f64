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


def test_an_eager_agent_prefers_what_it_has_not_played_to_passing() -> None:
    fresh = Option("play:1", "play", "play Spark", None)
    decision = Decision(0, "priority", "", (fresh, Option("pass", "pass", "pass", None)), "")
    agent = EagerAgent(1)
    answers = [agent.choose(None, decision) for _ in range(200)]
    assert answers[0] == "play:1"
    assert 100 < answers.count("play:1") < 200
    assert agent.played == {"play Spark"}
