import pickle

from rulewright.errors import FindingError


def test_an_error_crosses_a_process_border_whole() -> None:
    error = FindingError("39 cards", place="a.deck", help="add one")
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.message, copy.help) == (
        FindingError,
        "a.deck: 39 cards",
        "39 cards",
        "add one",
    )
    assert copy.args == ("39 cards",)
