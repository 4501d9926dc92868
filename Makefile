# Each target works from a clean clone with nothing but Python 3.11 or newer and pip (uv is used if present).
# PYTHON=/path/to/python chooses the interpreter; ARGS="-k words" goes to pytest or to the benchmarks.

PY := .venv/bin/python
TEST := $(PY) -m pytest -n auto
PURE := core text ledger
# The tests by which `make check` measures the coverage of these rooms. To trace the others too takes minutes.
COVERING := tests/unit tests/property tests/behaviour $(wildcard tests/attacks/test_action*.py)
# What `make check` runs on PostgreSQL again; `make soak` runs all of it.
ON_POSTGRES := tests/behaviour tests/process tests/unit/store tests/unit/privacy

export PYTHON

.DEFAULT_GOAL := help
.PHONY: help demo setup test check lint soak bench pin runtime models

help:
	@echo "make demo    see it work: import, search, verify, tamper, erase"
	@echo "make test    the fast tests"
	@echo "make check   lint, types, import rules, all tests, branch coverage (what CI runs)"
	@echo "make soak    the long tests; adds a dated result to docs/soak.md"
	@echo "make bench   the benchmarks"
	@echo "make setup   only set up .venv"

demo: runtime
	@.venv/bin/affidavit demo

test: setup
	$(TEST) $(ARGS)

check: lint models
	$(TEST) -m "not soak" --cov --cov-report= $(COVERING) $(ARGS)
	$(TEST) -m "not soak" $(addprefix --ignore=,$(COVERING)) $(ARGS)
	$(TEST) --store postgres $(ON_POSTGRES) $(ARGS)
	@for room in $(PURE); do \
	  echo "Branch coverage of $$room (at least 95 %):"; \
	  $(PY) -m coverage report --include="src/affidavit/$$room/*" --fail-under=95 || exit 1; \
	done

lint: setup
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	.venv/bin/lint-imports

soak: setup
	$(TEST) --store postgres
	$(PY) scripts/soak.py $(ARGS)

bench: setup
	$(PY) -m bench.run $(ARGS)

setup:
	@python=$$(sh scripts/python.sh) && "$$python" scripts/setup_venv.py dev

# Where they can't be had, the tests that ask real models are skipped, and say so.
models:
	@python=$$(sh scripts/python.sh) && { "$$python" scripts/setup_venv.py models || test -z "$$TESTS_NEED_MODELS"; }

runtime:
	@python=$$(sh scripts/python.sh) && "$$python" scripts/setup_venv.py runtime

pin:
	@python=$$(sh scripts/python.sh) && "$$python" scripts/pin.py
