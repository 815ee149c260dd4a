# One verb a target; `make` alone lists them. PYTHON=… chooses the interpreter, JOBS=… the number of test processes.
.DEFAULT_GOAL := help
.PHONY: help install demo accounts bench figures test test-rest test-all flaky check chaos image light lint docs lock sbom clean

VENV := .venv
BIN := $(VENV)/bin
# Tests start hundreds of processes: without kept bytecode each of them would compile the whole project again.
unexport PYTHONDONTWRITEBYTECODE
RUNTIME := $(VENV)/.installed-runtime
DEV := $(VENV)/.installed-dev
INPUTS := pyproject.toml constraints.txt clients/python/pyproject.toml
# Settings of whoever locks must not decide what is locked; of the four files the first binds the others.
COMPILE := $(BIN)/uv pip compile --no-config --quiet --universal --python-version 3.11 --emit-build-options \
  --custom-compile-command "make lock" $(if $(UPGRADE),--upgrade)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
QUICK := -m 'not slow' tests/architecture tests/contract tests/unit
PYTEST := $(BIN)/python -m pytest --dist worksteal
ROUNDS ?= 20
LONG_MODULE := 500
COVERAGE_FLOOR := 95
CHAOS_JOBS ?= 500
CHAOS_KILLS ?= 20
CHAOS_WIPES ?= 3
CONVERSATION := op-flask-sessions
CASSETTE := benchmarks/data/drills/third
TALK := benchmarks/data/fresh/ft-solar-coop.json
DEMO_DB := sqlite:///out/demo.sqlite3
NO_BENCHMARK := $(addprefix benchmarks/,load.py score_planted.py figures.py consensus_labels.py consensus_time.py chaos.py \
  live_drill.py drill_run.py drill_figures.py drill_table.py drill_rehearsal.py drill_readers.py reviewed_fleets.py \
  first_hour.py first_import.py flaky.py)

##@ Help
help: ## list the targets
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} \
	  /^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

##@ Use
demo: $(RUNTIME) ## dissolve a long conversation with the stored answers of a whole path: no key, no network
	@echo "== dissolve run: four language models answered, reviewed, asked and judged this once, live; their stored answers are replayed"
	$(call replayed,$(TALK),$(CASSETTE))

accounts: $(RUNTIME) ## the same with six recorded accounts alone: nobody reviews, questions are masked
	@echo "== dissolve run: six recorded writers of four families answer, the consensus is committed"
	$(call replayed,benchmarks/data/planted/$(CONVERSATION).json,benchmarks/data/recordings/$(CONVERSATION))

define replayed
	@mkdir -p out && rm -f out/demo.sqlite3 out/demo.sqlite3-wal out/demo.sqlite3-shm
	@$(BIN)/dissolve run $(1) --recorded $(2) --db $(DEMO_DB) --out out
	@echo "== dissolve show --dissent: read back from the database"
	@$(BIN)/dissolve show --dissent --db $(DEMO_DB) >out/show.txt
	@echo "== written to out/:" && ls out
endef

bench: $(DEV) ## measure the published figures again (minutes; see docs/figures.md)
	@for script in $(filter-out $(NO_BENCHMARK),$(wildcard benchmarks/*.py)); do echo "== $$script"; $(BIN)/python "$$script" || exit 1; done

figures: $(DEV) ## measure again and write docs/figures.md
	@$(BIN)/python benchmarks/figures.py

install: $(DEV) ## install everything, for work on the project

##@ Check
test: $(DEV) ## the quick tests: no service, no process, no browser (minutes; COVERAGE=1 keeps what they cover)
	@$(PYTEST) -n $(or $(JOBS),auto) $(QUICK) $(if $(COVERAGE),--cov --cov-report=)

test-rest: $(DEV) ## the other tests: PostgreSQL, Redis, workers and Chromium (COVERAGE=1: with the quick ones' coverage, and its floor)
	@$(PYTEST) -n $(or $(JOBS),4) -m slow $(if $(COVERAGE),--cov --cov-append --cov-fail-under=$(COVERAGE_FLOOR))

test-all: test test-rest ## all tests (COVERAGE=1 holds the floor of branch coverage)

flaky: $(DEV) ## the quick tests ROUNDS times in random order, two runs at a time; names the seeds that failed
	@$(BIN)/python -m benchmarks.flaky --rounds $(ROUNDS)

lint: $(DEV) ## formatting, lint, types, import contracts, generated pages: cheapest first
	@$(BIN)/ruff format --check
	@$(BIN)/ruff check
	@$(BIN)/python docs/generate.py --check
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/pyright
	@git ls-files '*.py' | xargs wc -l | awk '$$1 > $(LONG_MODULE) && $$2 != "total" \
	  {printf "warning: %s has %d lines: does it answer one question?\n", $$2, $$1}'

chaos: $(DEV) ## kill workers, wipe Redis, stop the database while 500 jobs run; prints one JSON document (minutes)
	@$(BIN)/python -m benchmarks.chaos --jobs $(CHAOS_JOBS) --kills $(CHAOS_KILLS) --wipes $(CHAOS_WIPES) --seed 1

image: $(DEV) ## the Dockerfile's steps in a fresh root, without a container engine (Linux, root; minutes)
	@$(BIN)/python -m tests.image_steps

light: $(BIN)/python ## the light install in an environment of its own: a run, the service, an agent, its size (two minutes)
	@$(BIN)/python deploy/try_light.py

check: lint ## everything CI checks, cheapest first
	@$(MAKE) --no-print-directory test-all COVERAGE=1
	@$(MAKE) --no-print-directory chaos
	@$(MAKE) --no-print-directory light

##@ Care
docs: $(DEV) ## write the generated pages
	@$(BIN)/python docs/generate.py

lock: $(BIN)/uv ## lock what pyproject.toml asks for, with hashes for deployments (UPGRADE=1 takes the newest versions)
	@$(COMPILE) pyproject.toml clients/python/pyproject.toml --all-extras --output-file constraints.txt
	@$(COMPILE) pyproject.toml --extra postgres --constraint constraints.txt --only-binary :all: --generate-hashes \
	  --output-file deploy/requirements.txt
	@$(COMPILE) pyproject.toml --excludes deploy/light-without.txt --constraint constraints.txt --only-binary :all: \
	  --output-file requirements-light.txt
	@sed -n 's/^requires = \["\(.*\)"\]$$/\1/p' pyproject.toml | $(COMPILE) - --constraint constraints.txt --only-binary :all: \
	  --generate-hashes --output-file deploy/build-requirements.txt

sbom: $(DEV) ## write the bill of materials of a deployment, CycloneDX 1.6, to out/sbom.cdx.json
	@$(BIN)/python -m deploy.sbom

clean: ## remove what tools left behind; .venv and out stay
	@rm -rf .pytest_cache .ruff_cache .hypothesis .import_linter_cache .coverage .coverage.* htmlcov build dist
	@find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

# The interpreter is tried, not only looked for: version managers leave names that do not run.
$(BIN)/python:
	@for candidate in $(PYTHON) python3.11 python3.12 python3 python; do \
	  if "$$candidate" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 13))' \
	    >/dev/null 2>&1; then chosen=$$candidate; break; fi; \
	  if [ "$$candidate" = "$(PYTHON)" ]; then break; fi; \
	done; \
	if [ -z "$$chosen" ]; then \
	  echo "make: no Python 3.11 or 3.12 with venv found$(if $(PYTHON), as PYTHON=$(PYTHON),); install one" \
	    "or name it: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; fi; \
	echo "Making $(VENV) with $$("$$chosen" --version) ($$chosen)"; \
	"$$chosen" -m venv $(VENV)

# Locking needs uv alone: what pyproject.toml newly asks for may contradict what was locked.
$(BIN)/uv: | $(BIN)/python
	@$(PIP) uv

$(RUNTIME): $(INPUTS) | $(BIN)/python
	@echo "Installing into $(VENV) (one to four minutes on a fresh machine, about 2 GB on disk) ..."
	@$(PIP) --editable .
	@touch $@

$(DEV): $(INPUTS) | $(BIN)/python
	@echo "Installing with development tools into $(VENV) (one to four minutes on a fresh machine, about 2 GB) ..."
	@$(PIP) --editable '.[dev]' --editable clients/python
	@touch $(RUNTIME) $@
