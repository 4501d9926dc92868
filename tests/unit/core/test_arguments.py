"""Which arguments are protected: by what the registry says, else by their names, at any depth."""

import pytest

from affidavit.core.arguments import ArgumentKind, kind_by_name, protected_leaves, tools_of
from affidavit.errors import ConfigError, IdError


@pytest.mark.parametrize(
    "name,kind",
    [
        ("to", "recipient"), ("sendTo", "recipient"), ("send_to", "recipient"), ("Recipients", "recipient"),
        ("cc", "recipient"), ("account", "account"), ("accountNumber", "account"), ("IBAN", "account"),
        ("destIBAN", "account"), ("amount", "amount"), ("total_price", "amount"), ("address", "address"),
        ("toAddress", "address"), ("webhookURL", "address"), ("url", "address"), ("emails", "address"),
        ("password", "credential"), ("apiKey", "credential"), ("api-key", "credential"),
        ("accountPassword", "credential"),
        ("note", None), ("key", None), ("tomato", None), ("", None), ("subject", None), ("into", None),
    ],
)  # fmt: skip
def test_by_its_name(name, kind):
    assert kind_by_name(name) == kind


def leaves(arguments, **said):
    tool = tools_of({"t": said})["t"] if said else None
    return [(leaf.path, str(leaf.kind), leaf.value) for leaf in protected_leaves(arguments, tool)]


def test_names_count_at_any_depth_and_for_all_inside():
    given = {
        "note": "x",
        "payment": {"to": {"first": "Ben", "ids": [1, 2.5, True, None, ""]}, "memo": {"iban": "DE1"}},
        "list": [{"amount": 5}, [{"url": "u"}]],
    }
    assert leaves(given) == [
        ("payment.to.first", "recipient", "Ben"),
        ("payment.to.ids[0]", "recipient", 1),
        ("payment.to.ids[1]", "recipient", 2.5),
        ("payment.to.ids[2]", "recipient", True),
        ("payment.memo.iban", "account", "DE1"),
        ("list[0].amount", "amount", 5),
        ("list[1][0].url", "address", "u"),
    ]


def test_the_registry_counts_more_than_names():
    given = {"to": "a", "x": "b", "deep": {"to": "c", "y": "d", "z": {"to": "e", "q": "f"}}}
    assert leaves(given, **{"to": False, "x": "account", "deep.y": True, "z": "amount"}) == [
        ("x", "account", "b"),
        ("deep.y", "value", "d"),
        ("deep.z.q", "amount", "f"),
    ]


def test_inside_what_is_not_protected_names_don_t_count_but_the_registry_does():
    given = {"details": {"to": "a", "iban": "b", "inner": {"code": "c"}}}
    assert leaves(given, details=False, code="credential") == [("details.inner.code", "credential", "c")]


def test_an_argument_is_named_by_its_path_without_places():
    given = {"items": [{"who": "a"}, {"who": "b"}], "who": "c"}
    assert leaves(given, **{"items.who": "recipient"}) == [
        ("items[0].who", "recipient", "a"),
        ("items[1].who", "recipient", "b"),
    ]


def test_a_key_that_is_no_plain_name_is_a_value_too():
    given = {"amounts": {"DE89370400440532013000": 50, "bob@x.org": 5, "line1": 7, "rent": 9}}
    assert [value for _, _, value in leaves(given)] == ["DE89370400440532013000", 50, "bob@x.org", 5, 7, 9]


@pytest.mark.parametrize(
    "registry,told",
    [
        (None, "tools is a NoneType, not a mapping"), ([], "tools is a list"),
        ({"pay": ["to"]}, "tools: pay is ['to']"),
        ({"pay": {"to": "person"}}, "tools: pay.to is 'person'"), ({"pay": {"to": None}}, "tools: pay.to is None"),
        ({"pay": {"to": 1}}, "tools: pay.to is 1"), ({"pay": {"": True}}, "tools: pay has an argument ''"),
        ({"pay": {5: True}}, "tools: pay has an argument 5"),
        ({"pay": {"to": ["account"]}}, "tools: pay.to is ['account']"),
    ],
)  # fmt: skip
def test_a_registry_without_meaning_says_where(registry, told):
    with pytest.raises(ConfigError) as caught:
        tools_of(registry)
    assert caught.value.what.startswith(told)
    assert caught.value.hint


def test_a_tool_needs_a_name():
    with pytest.raises(IdError):
        tools_of({" ": {}})


def test_true_is_the_kind_of_the_name():
    said = tools_of({"pay": {"iban": True, "x": True, "note": False}})["pay"].arguments
    assert said == {"iban": ArgumentKind.ACCOUNT, "x": ArgumentKind.VALUE, "note": None}
