import json
import zipfile
from pathlib import Path

import pytest

from affidavit.errors import FileFormatError
from affidavit.surfaces.importers import ImportItem, ImportProblem, detect, files, open_import

FIXTURES = Path(__file__).parents[2] / "fixtures" / "imports"


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


@pytest.mark.parametrize(
    "name, known", [("messages.jsonl", "jsonl"), ("chatgpt.json", "chatgpt"), ("claude.json", "claude")]
)
def test_a_format_is_told_by_what_the_file_holds(name: str, known: str, tmp_path: Path) -> None:
    raw = (FIXTURES / name).read_bytes()
    disguised = tmp_path / "backup.dat"
    disguised.write_bytes(raw)
    assert detect(disguised) == known
    direct = list(open_import(FIXTURES / name))
    assert list(open_import(disguised)) == direct
    assert list(open_import(disguised, format=known)) == direct


@pytest.mark.parametrize("name", ["chatgpt", "claude"])
def test_a_zip_reads_as_the_file_inside_and_nothing_is_unpacked(name: str, tmp_path: Path) -> None:
    raw = (FIXTURES / f"{name}.json").read_bytes()
    path = zipped(tmp_path / "export.zip", {"user.json": b"{}", "data/conversations.json": raw})
    assert detect(path) == name
    assert list(open_import(path)) == list(open_import(FIXTURES / f"{name}.json"))
    assert [one.name for one in tmp_path.iterdir()] == ["export.zip"]


def test_an_export_in_several_files_is_read_whole(tmp_path: Path) -> None:
    raw = json.loads((FIXTURES / "chatgpt.json").read_bytes())
    members = {f"conversations-00{n}.json": json.dumps([talk]).encode() for n, talk in enumerate(raw)}
    found = list(open_import(zipped(tmp_path / "export.zip", members)))
    whole = list(open_import(FIXTURES / "chatgpt.json"))
    assert [one.key for one in found if isinstance(one, ImportItem)] == [
        one.key for one in whole if isinstance(one, ImportItem)
    ]
    assert isinstance(found[0], ImportProblem)
    assert found[0].place == "conversations-000.json, conversation 1, message 2"


def test_a_zip_that_would_fill_the_disk_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_LARGEST_SUSPECT", 100_000)
    path = zipped(tmp_path / "bomb.zip", {"conversations.json": b"[" + b" " * 1_000_000 + b"]"})
    with pytest.raises(FileFormatError, match="would unpack"):
        open_import(path, format="chatgpt")


def test_a_damaged_zip_gives_what_can_be_read_and_a_problem(tmp_path: Path) -> None:
    talks = json.loads((FIXTURES / "chatgpt.json").read_bytes())[:1] * 3
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("conversations.json", json.dumps(talks))
    raw = bytearray(path.read_bytes())
    raw[raw.rindex(b"Call a plumber")] ^= 1
    path.write_bytes(raw)
    found = list(open_import(path, format="chatgpt"))
    assert isinstance(found[-1], ImportProblem)
    assert "CRC" in found[-1].reason


@pytest.mark.parametrize(
    "content, words",
    [
        (b"", "is empty"),
        (b" \r\n\t", "is empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "none of the formats"),
        (b"Dear diary,\n", "none of the formats"),
        (b"[]", "none of the formats"),
        (b"[1, 2, null]", "none of the formats"),
        (b'{"a": 1}', "none of the formats"),
        (b'[{"role": "user", "content": "hi"}]', "none of the formats"),
        (b"PK\x03\x04 not really a zip", "none of the formats"),
    ],
)
def test_no_format_of_ours_is_refused_with_the_list(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(FileFormatError) as caught:
        open_import(path)
    assert words in caught.value.what
    assert caught.value.hint
    if "none" in words:
        assert all(known in caught.value.hint for known in ("jsonl", "chatgpt", "claude"))


def test_a_path_that_can_not_be_opened_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no file"):
        open_import(tmp_path / "gone.json")
    with pytest.raises(FileFormatError, match="is a folder"):
        detect(tmp_path)
    with pytest.raises(FileFormatError, match=r"holds no conversations\.json"):
        detect(zipped(tmp_path / "photos.zip", {"cat.jpg": b"x"}))
    with pytest.raises(FileFormatError, match="use one of jsonl, chatgpt, claude"):
        open_import(FIXTURES / "claude.json", format="gemini")
    with pytest.raises(FileFormatError, match="unpack it"):
        open_import(zipped(tmp_path / "m.zip", {"conversations.json": b"[]"}), format="jsonl")


def test_a_file_cut_inside_its_first_conversation_still_says_what_it_is(tmp_path: Path) -> None:
    for name in ("chatgpt", "claude"):
        path = tmp_path / f"{name}.json"
        path.write_bytes((FIXTURES / f"{name}.json").read_bytes()[:700])
        assert detect(path) == name
        (problem,) = open_import(path)
        assert isinstance(problem, ImportProblem)
        assert "cut off" in problem.reason


def test_a_single_line_that_breaks_off_is_named(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_bytes(b'{"role": "user", "content": "hi"')
    (problem,) = open_import(path)
    assert isinstance(problem, ImportProblem)
    assert problem.place == "line 1"
    assert "not valid JSON" in problem.reason


def test_one_wrong_line_at_the_top_does_not_hide_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_text('{broken\n{"role": "user", "content": "x"}\n', encoding="utf-8")
    problem, item = open_import(path)
    assert isinstance(problem, ImportProblem)
    assert isinstance(item, ImportItem)
