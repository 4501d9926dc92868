"""The real command in a process of its own."""

import json
import os
import select
import subprocess
import sys

import pytest

CLI = [sys.executable, "-m", "affidavit"]


def _run(*arguments, **options):
    return subprocess.run([*CLI, *arguments], capture_output=True, timeout=120, check=False, **options)


def test_help_loads_nothing_that_is_slow():
    probe = (
        "import sys\n"
        "from affidavit.surfaces.cli.run import run\n"
        "code = run(['--help'])\n"
        "slow = ('numpy', 'cryptography', 'sqlite3', 'Stemmer', 'rich', 'onnxruntime', 'affidavit.rooms',\n"
        "        'affidavit.store', 'affidavit.config')\n"
        "sys.stderr.write(repr([name for name in slow if name in sys.modules]))\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"[]")


def test_outside_tools_get_one_object_of_utf8_without_a_flag(tmp_path):
    env = {**os.environ, "PYTHONIOENCODING": "latin-1", "AFFIDAVIT_USER": "priya"}
    where = ["--db", str(tmp_path / "m.db")]
    done = _run(
        "add", "我对榛子过敏", "--at", "2026-03-16", "--session", "s", "--source", "app", *where, env=env
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout.decode("utf-8"))["episodes"][0]["text"] == "我对榛子过敏"
    found = _run("search", "榛子", "--limit", "3", *where, env=env)
    assert set(json.loads(found.stdout)) >= {"hits", "trace_id"}
    checked = json.loads(_run("verify", *where, env=env).stdout)
    assert (checked["level"], checked["problems"]) == (2, [])
    wrong = _run("add", "x", "--role", "robot", *where, env=env)
    assert wrong.returncode == 2
    assert json.loads(wrong.stdout)["error"]["code"] == "message"
    assert wrong.stderr.count(b"\n") == 1


def test_stdin_is_a_message(tmp_path):
    done = _run("add", "-", "--user", "u", "--db", str(tmp_path / "m.db"), input="from a pipe ✓".encode())
    assert json.loads(done.stdout)["episodes"][0]["text"] == "from a pipe ✓"
    bad = _run("add", "-", "--user", "u", "--db", str(tmp_path / "m.db"), input=b"\xff\xff")
    assert (bad.returncode, json.loads(bad.stdout)["error"]["code"]) == (2, "file_format")


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_on_a_terminal_it_speaks_text_and_asks_before_erasing(tmp_path):
    import pty

    where = ["--user", "u", "--db", str(tmp_path / "m.db")]
    _run("add", "keep me", *where)

    def talk(answer: bytes) -> tuple[int, str]:
        child, terminal = pty.fork()
        if child == 0:
            os.execv(CLI[0], [*CLI, "forget", "--everything", *where])
        seen, answered = b"", False
        while True:
            if answered and not select.select([terminal], [], [], 1)[0]:
                os.write(terminal, answer)  # keys that came just before the program began to wait are lost
            try:
                piece = os.read(terminal, 4096)
            except OSError:
                break
            if not piece:
                break
            seen += piece
            if not answered and b"[y/N]" in seen:
                os.write(terminal, answer)
                answered = True
        os.close(terminal)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), seen.decode()

    code, seen = talk(b"n\n")
    assert "Erase 1 episode for good?" in seen
    assert "nothing was erased" in seen
    assert code == 2
    for answer, code in ((b"\x04", 2), (b"\x03", 130)):
        got, seen = talk(answer)
        assert got == code
        assert "nothing was erased" in seen
        assert "acknowledged" not in seen
    assert json.loads(_run("memory", "list", *where).stdout)["total"] == 1
    code, seen = talk(b"y\n")
    assert code == 0
    assert "erased 1 episode at" in seen
    assert json.loads(_run("memory", "list", *where).stdout)["total"] == 0


def test_a_reader_that_leaves_is_no_error(tmp_path):
    where = ["--user", "u", "--db", str(tmp_path / "m.db")]
    lines = "".join(
        json.dumps({"role": "user", "content": f"line {n} " + "x" * 2000}) + "\n" for n in range(200)
    )
    (tmp_path / "in.jsonl").write_text(lines, encoding="utf-8")
    _run("import", str(tmp_path / "in.jsonl"), *where)
    with subprocess.Popen(
        [*CLI, "memory", "list", "--limit", "500", *where], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) in {0, 1}
