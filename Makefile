# Every target works in a fresh clone: it sets up what it needs first (quick when there is nothing to do).
PY := .venv/bin/python
.DEFAULT_GOAL := help
.PHONY: help setup demo app unit test check format translations changelog screenshots broker bench bench-check faults exe installer exe-linux wheelhouse clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## prepare this machine: system packages, .venv with pinned packages, Kafka jars
	@packaging/setup.sh

demo: setup ## the main job end to end on a real local Kafka
	@$(PY) packaging/demo.py

app: setup ## open the app on a data folder of its own (ARGS="open FILE")
	@.venv/bin/fieldpost --data-dir build/app $(ARGS)

unit: setup ## the inner loop: tests/unit, few examples of each property; no broker
	@$(PY) -m pytest tests/unit -m "not broker" --numprocesses $(or $(JOBS),2) --dist loadfile --hypothesis-profile brief

test: setup ## all tests, two files of them at a time (JOBS=2), and the floors of coverage
	@$(PY) -m pytest --cov --cov-report= --numprocesses $(or $(JOBS),2) --dist loadfile --no-loadscope-reorder
	@$(PY) packaging/coverage_floors.py

check: setup ## ruff, ruff format, mypy strict
	@$(PY) -m ruff check
	@$(PY) -m ruff format --check
	@$(PY) -m mypy

format: setup ## let ruff put the code in shape
	@$(PY) -m ruff check --fix
	@$(PY) -m ruff format

translations: setup ## bring the language files up to date with the sources
	@$(PY) packaging/translations.py

changelog: setup ## show the next section of the changelog (RELEASE=yes writes it and removes the fragments)
	@$(PY) -m towncrier build $(if $(RELEASE),--yes,--draft) \
	  --version "$$($(PY) -c 'from fieldpost_shared.version import __version__; print(__version__)')"

screenshots: setup ## pictures of every window and state into build/screenshots; what documents show into docs/screenshots
	@$(PY) -m screenshots

broker: setup ## run a local Kafka in the foreground (ARGS="--secure --nodes 3")
	@$(PY) -m devkafka run $(ARGS)

bench: setup ## measure against the alternatives, into docs/benchmarks.md (PROFILE=full takes 45 minutes, quick 5; ONLY=backlog)
	@tests/bench/setup.sh
	@cd tests && ../$(PY) -m bench.run $(if $(PROFILE),--profile $(PROFILE)) $(if $(ONLY),--only $(ONLY))

bench-check: setup ## measure quickly, and fail if a ratio fell by more than 20 %
	@tests/bench/setup.sh
	@cd tests && ../$(PY) -m bench.run --check

faults: setup ## the long run, into tests/faults/REPORT.md (MINUTES=60 SEED=1; ONLY=F06 one family); goes on where it stopped
	@$(PY) tests/faults/long_run.py $(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only $(ONLY))

exe: setup ## build the Windows program under Wine and try it out (into dist/windows)
	@packaging/windows/build.sh

installer: exe ## pack the Windows program: installer, portable ZIP, sums; proven under Wine (into dist/installer)
	@packaging/installer/build.sh

exe-linux: setup ## freeze the same recipe for Linux, and its self-test (half a minute)
	@packaging/linux/build.sh

wheelhouse: setup ## all packages of both ends into build/wheelhouse, to install without a network
	@packaging/wheelhouse.sh

clean: ## remove what was built and the virtual environment
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
