# Everything a newcomer runs; each target sets up .venv by itself. uv is used where it is installed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready-for-development

.DEFAULT_GOAL := help
.PHONY: help demo test lint bench clean

help:
	@echo "make demo    a guided tour: read a card, look a rule up, play a short duel"
	@echo "make test    run the tests"
	@echo "make lint    ruff and mypy --strict"
	@echo "make bench   print how long things take on this machine"
	@echo "make clean   remove .venv and everything that was built"

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "rulewright needs Python 3.11 or newer; name one with: make PYTHON=python3.11" >&2; exit 1; }
	@if command -v uv >/dev/null 2>&1; then \
	    { test -x $(BIN)/python || uv venv --quiet --python "$(PYTHON)" $(VENV); } && \
	    uv pip install --quiet --python $(BIN)/python --editable '.[dev]'; \
	else \
	    { test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV); } && \
	    $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'; \
	fi
	@touch $@

demo: $(READY)
	@$(BIN)/rulewright demo

test: $(READY)
	@$(BIN)/pytest -n 2

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy --strict interpreter

bench: $(READY)
	@set -e; for bench in tests/benchmarks/bench_*.py; do $(BIN)/python $$bench; done

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find interpreter tests -name __pycache__ -type d -prune -exec rm -rf {} +
