"""Fixtures for every test: nothing ever touches the user's own store or keys.

Hypothesis draws the same examples at each run, so that a change is judged by what it changed; the long tests
(`test_properties_explored.py`) draw others each time.
"""

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from affidavit import Config, Memory
from affidavit.core.addresses import is_address
from affidavit.providers import nearby
from tests.support_llama import CALLED_FOR as MODELS_CALLED_FOR
from tests.support_llama import SMOL, NotHereError, path_of, serving
from tests.support_postgres import CALLED_FOR, Server, server, why_not

_KEYS = ("AFFIDAVIT_LLM_KEY", "AFFIDAVIT_EMBEDDER_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY")

# How fast examples are drawn tells of the machine, not of us.
_CALM = [HealthCheck.too_slow]
settings.register_profile("same", derandomize=True, suppress_health_check=_CALM)
settings.register_profile("explore", derandomize=False, print_blob=True, suppress_health_check=_CALM)
settings.load_profile("same")


class TestClock:
    """A clock that a test moves; every look is a microsecond later, as on a real machine."""

    __test__ = False

    def __init__(self, now: int) -> None:
        self.us = now

    def now(self) -> int:
        """UTC microseconds."""
        self.us += 1
        return self.us

    def forward(self, *, seconds: float) -> None:
        """Let time pass."""
        self.us += int(seconds * 1_000_000)


@pytest.fixture(autouse=True)
def _own_places(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Home and keys in fresh folders; no embedder, model or key of one unless a test asks for it."""
    base = tmp_path_factory.mktemp("places")
    monkeypatch.setenv("AFFIDAVIT_HOME", str(base / "home"))
    monkeypatch.setenv("AFFIDAVIT_KEY_DIR", str(base / "keys"))
    monkeypatch.setenv("AFFIDAVIT_EMBEDDER", "none")
    for variable in ("AFFIDAVIT_USER", "AFFIDAVIT_LLM", *_KEYS):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(nearby, "LOCAL", {})


@pytest.fixture
def stopped_if_it_hangs() -> Iterator[None]:
    """Ends a test after two minutes of processor time: what takes seconds would take hours if it were quadratic."""

    def stop(_number: int, _frame: object) -> None:
        pytest.fail("it hangs")

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, 120)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


@pytest.fixture
def clock() -> TestClock:
    """2026-06-01T12:00:00Z, moved by hand."""
    return TestClock(1_780_315_200_000_000)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Which store the tests run on."""
    parser.addoption("--store", choices=("sqlite", "postgres"), default="sqlite")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On another store only what uses one runs again: not what is about the file itself, or takes a server itself."""
    if config.getoption("--store") == "sqlite":
        return

    def runs_again(item: pytest.Item) -> bool:
        fixtures = getattr(item, "fixturenames", ())
        return "config" in fixtures and "postgres" not in fixtures and not item.get_closest_marker("file")

    kept = [item for item in items if runs_again(item)]
    chosen = set(map(id, kept))
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in chosen])
    items[:] = kept


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A real server. Where none can run the test is skipped, and fails where a server was called for."""
    why = why_not()
    if why is not None and os.environ.get(CALLED_FOR):
        pytest.fail(f"no PostgreSQL server: {why}")
    if why is not None:
        pytest.skip(f"no PostgreSQL server: {why}")
    with server() as running:
        yield running


@pytest.fixture(scope="session")
def small_model() -> Iterator[str]:
    """Where a real small model answers, as an OpenAI client is told: skipped or failed where none can run."""
    try:
        path_of(SMOL)
    except NotHereError as why:
        if os.environ.get(MODELS_CALLED_FOR):
            pytest.fail(str(why))
        pytest.skip(str(why))
    with serving(SMOL, threads=1) as url:
        yield url


@pytest.fixture
def config(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Config]:
    """Settings for a store and keys under this test's own folder."""
    if request.config.getoption("--store") == "sqlite":
        yield Config.load(db=str(tmp_path / "store" / "memory.db"), key_dir=tmp_path / "keys")
        return
    running = request.getfixturevalue("postgres")
    address = running.database()
    yield Config.load(db=address, key_dir=tmp_path / "keys")
    running.drop(address)


@pytest.fixture
def copied(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[Config], str]]:
    """Copies a closed store as it stands, keys apart; gives the place of the copy."""
    made: list[str] = []

    def copy(config: Config) -> str:
        if is_address(config.database):
            made.append(request.getfixturevalue("postgres").copy(config.database))
            return made[-1]
        number = len(list(tmp_path.glob("copy-*.db")))
        return str(shutil.copy(config.database, tmp_path / f"copy-{number}.db"))

    yield copy
    for address in made:
        request.getfixturevalue("postgres").drop(address)


@pytest.fixture
def put_back(request: pytest.FixtureRequest) -> Callable[[str, Config], None]:
    """Puts a copy in the place of a closed store."""

    def put(copy: str, config: Config) -> None:
        if is_address(copy):
            running = request.getfixturevalue("postgres")
            running.drop(config.database)
            running.copy(copy, config.database)
            return
        for end in ("", "-wal", "-shm"):
            Path(config.database + end).unlink(missing_ok=True)
        shutil.copy(copy, config.database)

    return put


@pytest.fixture
def memory(config: Config, clock: TestClock) -> Iterator[Memory]:
    """An empty memory in a real file."""
    with Memory(config=config, clock=clock) as opened:
        yield opened
