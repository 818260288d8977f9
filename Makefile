# make demo: environment, index of the sample corpus, one global and one local answer. make test: the tests, on all cores. make check: linters, types and tests. make docs: the documentation.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-compile
comma := ,
# uv installs the same versions in a fifth of the time; where it cannot be had or fails, pip does.
install = @{ $(PIP) uv 2>/dev/null && $(BIN)/uv pip install --python $(BIN)/python --quiet --constraint requirements.lock --editable $(1); } || $(PIP) --constraint requirements.lock --editable $(1)

.PHONY: demo test lint check docs lock page chromium screenshots wheel-test clean

demo: $(VENV)/ready
	@$(BIN)/graphstrata index
	@echo; echo '--- graphstrata query global "What are the main themes?"'; echo
	@$(BIN)/graphstrata query global "What are the main themes?"
	@echo; echo '--- graphstrata query local "Did Joan of Arc lose any battles?"'; echo
	@$(BIN)/graphstrata query local "Did Joan of Arc lose any battles?"
	@echo
	@echo "What to do next:"
	@echo "  $(BIN)/graphstrata show stats                    what is in the index"
	@echo "  $(BIN)/graphstrata show entity 'Joan of Arc'     one entity with all that hangs on it"
	@echo "  $(BIN)/graphstrata init ~/mine                   a project of your own: put texts into ~/mine/input,"
	@echo "  $(BIN)/graphstrata index --root ~/mine           then index them"

test: $(VENV)/ready-dev
	@$(BIN)/python -m pytest

check: lint test

docs: $(VENV)/ready-dev
	@$(BIN)/python docs/generate.py
	@$(BIN)/python -m mkdocs build --quiet --strict
	@echo "the documentation is in site/; to read it: $(BIN)/python -m http.server --directory site 8000"

lint: $(VENV)/ready-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

$(VENV)/ready: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(None if (3, 11) <= sys.version_info < (3, 14) else f"Python 3.11 to 3.13 is needed, this is {sys.version.split()[0]}: set PYTHON=")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing into $(VENV), once; this takes half a minute, a minute or two without uv"
	$(call install,.)
	@touch $@

$(VENV)/ready-dev: $(VENV)/ready
	$(call install,'.[dev$(comma)office]')
	@touch $@

# Needs uv. Writes the versions that all supported Pythons install.
lock:
	@uv pip compile --quiet --universal --python-version 3.11 --extra dev --extra office --no-header --no-annotate --no-emit-index-url pyproject.toml --output-file requirements.lock

# Needs node and npm. Bundles what the page takes from others, at the versions of web/package-lock.json.
page:
	@cd web && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && npm run --silent build

# The browser that the tests of the page drive: from Debian's packages where it is missing and they can be installed.
chromium:
	@command -v chromium chromium-browser google-chrome >/dev/null || { command -v apt-get >/dev/null && test "$$(id -u)" = 0 && apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends chromium >/dev/null; } || echo "no Chromium and no way to install it here: the tests of the page are skipped"

# Needs Chromium. Takes the pictures of the page anew.
screenshots: $(VENV)/ready-dev
	@$(BIN)/python docs/screenshots.py

# Builds wheel and sdist and tries them in new environments, on each of Python 3.11 to 3.13 that is here; PYTHONS names others.
wheel-test: $(VENV)/ready-dev
	@$(BIN)/python tests/check_wheel.py $(PYTHONS)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
