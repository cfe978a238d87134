# Everything sets itself up: `make demo` and `make test` work in a fresh clone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PEERS := .venv-peers
BENCHMARKS := $(filter-out benchmarks/common.py,$(wildcard benchmarks/*.py))

.PHONY: demo test lint docs bench peers clean

# torch first and by its pin: a CPU build that pip is set up to find stays in place.
$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "$$(grep '^torch==' constraints.txt)"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

# What benchmarks/peers.py compares us with, apart from our own packages.
$(PEERS)/.installed: benchmarks/peers-constraints.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check "$$(grep '^torch==' $<)"
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	touch $@

peers: $(PEERS)/.installed

demo: $(STAMP)
	PATH="$(CURDIR)/$(BIN):$$PATH" sh recipes/demo.sh

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint
	$(BIN)/python -m pytest -n 2 --dist loadfile --cov --cov-report=term

docs: $(STAMP)
	$(BIN)/python docs/make_reference.py

# Every benchmark at full size, which takes long; OPTIONS=--quick only shows that they still run.
bench: $(STAMP)
	for program in $(BENCHMARKS); do \
	  echo "== $$program"; $(BIN)/python $$program $(OPTIONS) || exit 1; \
	done

clean:
	rm -rf $(VENV) $(PEERS) build dist .coverage .mypy_cache .pytest_cache .ruff_cache
