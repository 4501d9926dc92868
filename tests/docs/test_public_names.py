"""What `import affidavit` gives is what it says it gives, and all of it is documented."""

import inspect
import types
import typing

import affidavit


def _names() -> list[str]:
    return list(vars(affidavit)["__all__"])


def _exported():
    return {name: getattr(affidavit, name) for name in _names()}


def _documented(thing):
    doc = thing.__dict__.get("__doc__") if isinstance(thing, type) else getattr(thing, "__doc__", None)
    # A dataclass without a docstring gets its own signature as one.
    return bool(doc and doc.strip() and not doc.startswith(f"{getattr(thing, '__name__', '')}("))


def test_all_is_exactly_what_is_exported():
    at_once = {
        name
        for name, value in vars(affidavit).items()
        if not name.startswith("_") and (not isinstance(value, types.ModuleType) or name == "errors")
        if value is not typing
    }
    later = set(vars(affidavit)["_LATER"])
    assert len(_names()) == len(set(_names()))
    assert {name for name in _names() if name != "__version__"} == at_once | later
    assert [name for name, module in vars(affidavit)["_LATER"].items() if not hasattr(affidavit, name)] == []


def test_every_exported_class_and_function_is_documented():
    things = {name: thing for name, thing in _exported().items() if callable(thing)}
    assert things
    assert [name for name, thing in things.items() if not _documented(thing)] == []


def test_every_public_method_is_documented():
    bare = [
        f"{name}.{member}"
        for name, thing in _exported().items()
        if isinstance(thing, type)
        for member, value in vars(thing).items()
        if not member.startswith("_")
        and (inspect.isfunction(value) or isinstance(value, property | classmethod | staticmethod))
        and not (inspect.getdoc(getattr(thing, member)) or "").strip()
    ]
    assert bare == []
