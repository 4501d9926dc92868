"""The table of relations as a setting: where it may stand, what it refuses, and that every room goes by it."""

import json
from pathlib import Path

import pytest

from affidavit import AsyncMemory, Config, Memory
from affidavit.core.when import DAY
from affidavit.errors import ConfigError
from affidavit.read.memories import MemoryItem
from affidavit.surfaces.cli.run import run
from tests.support_memories import Remembering

HOMES = {"home": {"override": True, "functional": False, "about": "history"}}
"""Somebody who lives in several places at once."""
QUICK = {
    "work": {"override": True, "volatility": "slow"},
    "home": {"override": True, "volatility": "ephemeral"},
}
TASTE = {"prefers": {"kind": "preference"}, "avoids": {"kind": "preference", "opposite": "prefers"}}
EDITOR = {"editor": {"functional": True, "volatility": "slow", "about": "work"}}


def opened(config: Config, clock, relations=None) -> Memory:
    """The test's store with these relations."""
    settings = {"db": config.db, "key_dir": config.key_dir} | ({"relations": relations} if relations else {})
    return Memory(config=Config.load(**settings), clock=clock)


def seen(memory: Memory, memory_id: str) -> MemoryItem:
    found = memory.get(memory_id, user_id="ana").memory
    assert found is not None
    return found


# -- where it may stand


def test_a_table_in_the_file_and_json_in_the_environment(tmp_path):
    (tmp_path / "config.toml").write_text(
        'user = "ada"\n[relations.editor]\nfunctional = true\nvolatility = "slow"\n'
        "[relations.home]\noverride = true\nfunctional = false\n"
    )
    config = Config.load(environ={"AFFIDAVIT_HOME": str(tmp_path)})
    assert config.relations == {
        "editor": {"functional": True, "volatility": "slow"},
        "home": {"override": True, "functional": False},
    }
    assert config.origins["relations"].startswith("file ")
    assert config.user == "ada"
    text = '{"editor": {"about": "work"}}'
    config = Config.load(environ={"AFFIDAVIT_HOME": str(tmp_path), "AFFIDAVIT_RELATIONS": text})
    assert config.relations == {"editor": {"about": "work"}}
    assert Config.load(relations=EDITOR).describe()[-1][:2] == ("relations", json.dumps(EDITOR))


def test_what_is_set_can_not_be_changed_afterwards():
    given = {"editor": {"functional": True}}
    config = Config(relations=given)
    given["editor"]["functional"] = False
    assert config.relations["editor"]["functional"] is True
    with pytest.raises(TypeError):
        config.relations["editor"]["functional"] = False  # type: ignore[index]


@pytest.mark.parametrize(
    "relations, said",
    [
        ({"home": {"functional": False}}, "'home' is a built-in relation"),
        ({"hme": {"override": True}}, "there is no built-in relation 'hme'"),
        ({"home": {"override": "yes"}}, "override is 'yes'"),
        ({"home": {"override": True, "kind": "event"}}, "the kind of 'home' can't be changed"),
        ({"like": {"override": True, "opposite": "home"}}, "the opposite of 'like' can't be changed"),
        ({"editor": {"opposite": "vim"}}, "opposite 'vim' is no relation"),
        ({"editor": {"opposite": "editor"}}, "opposite 'editor' is the relation itself"),
        ({"editor": {"opposite": "dislike"}}, "'dislike' is itself the opposite of 'like'"),
        ({"editor": {"opposite": "home"}}, "'home' has one value at a time, and 'editor' has not"),
        ({"like": {"override": True, "functional": True}}, "'dislike'"),
        ({"editor": {"opposite": 3}}, "opposite 3 is no relation"),
        ({"editor": {"kind": "thing"}}, "kind 'thing' is not known"),
        ({"editor": {"fuctional": True}}, "has no field 'fuctional'"),
        ("editor", "are a str, not a mapping"),
    ],
)
def test_what_is_no_table_is_refused_where_it_is_set(tmp_path, relations, said):
    for make in (
        Config,
        Config.load,
        Memory.from_config,
    ):
        with pytest.raises(ConfigError, match="relation") as caught:
            make(relations=relations)
        assert said in caught.value.what
        assert "argument" in caught.value.what
        assert caught.value.hint
    variables = {"AFFIDAVIT_HOME": str(tmp_path), "AFFIDAVIT_RELATIONS": json.dumps(relations)}
    with pytest.raises(ConfigError) as caught:
        Config.load(environ=variables)
    assert "environment AFFIDAVIT_RELATIONS" in caught.value.what


# -- that every room goes by it


def test_what_is_not_functional_has_several_values(config, clock):
    with opened(config, clock, HOMES) as memory:
        memory.add("I live in Lisbon.", user_id="ana")
        second = memory.add("I live in Porto.", user_id="ana")
        assert (len(second.added), second.updated, second.retracted) == (1, (), ())
        assert memory.answer("Where do I live?", user_id="ana").text == "Lisbon, Porto"
        assert len(memory.search("Where do I live?", user_id="ana", kinds=["fact"]).hits) == 2
        assert {one.section for one in memory.recall("Where do I live?", user_id="ana").grounded} == {"known"}
        markdown = memory.recall("Where do I live?", user_id="ana").profile
        assert markdown.index("## History") < markdown.index("Lisbon") < markdown.index("Porto")


def test_its_life_is_the_tables(config, clock):
    with opened(config, clock, QUICK) as memory:
        memory.add("I work at Acme. I live in Lisbon.", user_id="ana")
        clock.forward(seconds=200 * DAY / 1_000_000)
        found = [seen(memory, one.id) for one in memory.list(user_id="ana", kinds=["fact"]).items]
        home, work = sorted(found, key=lambda one: one.relation or "")
        assert (work.holds, work.stale) == ("current", True)
        assert (home.holds, home.why) == ("history", "lapsed")
        assert seen(memory, work.id).stale
        assert memory.history(home.id, user_id="ana").versions[0].why == "lapsed"
        assert memory.why("Where do I live?", home.version_id, user_id="ana").because == "lapsed"
        assert memory.answer("Where do I live?", user_id="ana").abstained
        assert memory.check_action(memory_ids=[home.id], user_id="ana").reasons[0].code == "expired"
        assert memory.check_action(memory_ids=[work.id], user_id="ana").reasons[0].code == "stale"
        assert len(memory.admin.maintain().lapsed) == 1
    with opened(config, clock) as memory:
        assert not seen(memory, work.id).stale
        assert memory.verify().problems == ()


def test_members_of_a_conflict_stand_as_the_table_says(config, clock):
    with opened(config, clock, QUICK) as memory:
        for name in ("Faro", "Tavira"):
            said = {"role": "user", "name": "Rui", "content": f"I work at {name}"}
            for one in memory.add(said, user_id="ana").added[:1]:
                memory.endorse(one.id, user_id="ana")
        clock.forward(seconds=200 * DAY / 1_000_000)
        members = memory.conflicts(user_id="ana")[0].members
        assert [one.stale for one in members] == [True, True]


def test_opposites_of_ones_own_displace_one_another(config, clock):
    with opened(config, clock, TASTE) as memory:
        ana = Remembering(memory, "ana")
        liked = ana.remember(
            "I prefer tabs", relation="prefers", object="tabs", text="The user prefers tabs."
        )
        gone = ana.remember(
            "I avoid tabs now", relation="avoids", object="tabs", text="The user avoids tabs."
        )
        assert ana.status(liked) == ("superseded", "authorized")
        assert gone == liked.replace("@1", "@2")
        ana.forget(
            episode_id=ana.item(gone)
            and memory.history(gone, user_id="ana").versions[1].evidence[0].episode_id
        )
        assert ana.status(liked) == ("active", "authorized")
        ana.verified()


def test_a_relation_of_ones_own_through_the_whole_house(config, clock):
    with opened(config, clock, EDITOR) as memory:
        ana = Remembering(memory, "ana")
        old = ana.remember(
            "I edit with Emacs", relation="editor", object="Emacs", text="The user edits with Emacs."
        )
        new = ana.remember(
            "I edit with Vim", relation="editor", object="Vim", text="The user edits with Vim."
        )
        assert (ana.status(old), ana.status(new)) == (("superseded", "authorized"), ("active", "authorized"))
        assert memory.answer("Do I edit with Vim?", user_id="ana").text == "I edit with Vim"
        assert "## Work\n- The user edits with Vim." in memory.recall("editor", user_id="ana").profile
        # Without its object an update still belongs to a relation that has one value at a time.
        said = memory.update(new, "I edit with Kakoune since the course", user_id="ana")
        assert seen(memory, said.id).relation == "editor"
    with opened(config, clock) as memory:
        # Elsewhere, without the setting: what was decided stands, and the log fits.
        assert memory.verify().level == 2
        assert seen(memory, old).status == "superseded"
        assert (
            memory.answer("Do I edit with Kakoune?", user_id="ana").text
            == "I edit with Kakoune since the course"
        )
        assert memory.admin.inspect().relations == {"editor": 3}


def test_coroutines_take_it_as_well(config):
    import asyncio

    async def main() -> str:
        settings = {"db": config.db, "key_dir": config.key_dir, "relations": HOMES}
        async with AsyncMemory.from_config(**settings) as memory:
            await memory.add("I live in Lisbon.", user_id="ana")
            await memory.add("I live in Porto.", user_id="ana")
            return (await memory.answer("Where do I live?", user_id="ana")).text

    assert asyncio.run(main()) == "Lisbon, Porto"


# -- the command line


def test_doctor_names_what_memories_have_and_the_settings_do_not(tmp_path, monkeypatch, capsys):
    db = str(tmp_path / "m.db")
    with Memory(db, config=Config.load(relations=EDITOR)) as memory:
        ana = Remembering(memory, "ana")
        ana.remember("I edit with Vim", relation="editor", object="Vim", text="The user edits with Vim.")

    def relations() -> dict:
        capsys.readouterr()
        run(["doctor", "--db", db, "-o", "json"])
        return next(
            one for one in json.loads(capsys.readouterr().out)["checks"] if one["name"] == "relations"
        )

    found = relations()
    assert found["ok"]
    assert "1 version of editor, which the settings do not have" in found["detail"]
    assert "many values" in found["hint"]
    assert "durable" in found["hint"]
    monkeypatch.setenv("AFFIDAVIT_RELATIONS", json.dumps(EDITOR | HOMES))
    assert relations()["detail"] == "of your own: editor; changed: home"
    monkeypatch.setenv("AFFIDAVIT_RELATIONS", '{"home": {}}')
    assert run(["doctor", "--db", db, "-o", "text"]) == 1
    assert "'home' is a built-in relation" in capsys.readouterr().out


def test_only_the_settings_hand_the_table_out():
    """No room looks the built-in table up by itself: it would not see what the settings say."""
    house = Path(__file__).parents[2] / "src" / "affidavit"
    rooms = [path for name in ("write", "read", "answer", "privacy") for path in (house / name).rglob("*.py")]
    assert len(rooms) > 60
    assert [path.name for path in rooms if "RELATIONS" in path.read_text(encoding="utf-8")] == []
