# The commands of this project; `make` lists them. Everything they need is made by `make setup`.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup setup-comet setup-slurm setup-browser setup-latex setup-bench bench-corpus bench-memory bench-models bench-pretraining bench-te bench-workflow demo demo-texts test lint check clean

export PATH := $(CURDIR)/.venv/bin:$(CURDIR)/.tools/bin:$(PATH)
PRESETS := $(basename $(notdir $(wildcard presets/*.yaml)))
QUICK := not slow and not torch and not slurm and not browser and not gpu and not data and not comet

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 16

setup: ## Debian packages, .venv, KenLM's programs, WordNet; quick when they are there
	@scripts/setup/packages.sh
	@scripts/setup/venv.sh .venv requirements.lock requirements-nodeps.txt
	@scripts/setup/kenlm.sh
	@scripts/setup/seeded.sh
	@scripts/setup/wordnet.sh

setup-comet: ## .venvs/comet, in which COMET runs
	@scripts/setup/venv.sh .venvs/comet envs/comet.txt

setup-browser: ## Chromium, in which tests look at the leaderboard (Debian package, about 300 MB)
	@scripts/setup/packages.sh browser

setup-slurm: ## Debian packages of the cluster that tests start on this machine
	@scripts/setup/packages.sh slurm

demo: setup ## every stage on the texts of resources/demo, in minutes, on two CPU cores
	@snakemake --profile profiles/demo all
	@echo "Done. Open results/demo/index.html in a browser; the tables lie in results/demo/tables/."

demo-texts: setup ## write the texts of resources/demo again from their generator
	@python -m resources.demo.generator

setup-latex: ## pdfLaTeX, with which tests compile the tables (Debian packages, about 150 MB)
	@scripts/setup/packages.sh latex

setup-bench: setup ## .venvs/bench, which holds the tools that bench-corpus compares with
	@scripts/setup/venv.sh .venvs/bench benchmarks/requirements.txt

SIZE := 1000
RIVALS := $(SIZE)
bench-corpus: setup-bench ## speed of the corpus stage beside other tools; SIZE and RIVALS in MB of text
	@python -m benchmarks.corpus --size $(SIZE) --rivals $(RIVALS)

bench-memory: setup ## largest memory of each job of the corpus on shards of SIZE MB: usual, dropped, tiny
	@python -m benchmarks.memory --size $(SIZE)

bench-models: setup ## speed of ZPR and of decoding beside transformers' own ways; SENTENCES, HIDDEN, LAYERS
	@python -m benchmarks.models $(if $(SENTENCES),--sentences $(SENTENCES)) $(if $(HIDDEN),--hidden $(HIDDEN)) $(if $(LAYERS),--layers $(LAYERS))

bench-pretraining: setup ## speed of pretraining beside transformers' Trainer; FAMILY, STEPS, HIDDEN, LAYERS
	@python -m benchmarks.pretraining $(if $(FAMILY),--family $(FAMILY)) $(if $(STEPS),--steps $(STEPS)) $(if $(HIDDEN),--hidden $(HIDDEN)) $(if $(LAYERS),--layers $(LAYERS))

bench-te: setup ## speed of text expansion beside stanza by sentence and KenLM by line; BOOKS, MODELS, SENTENCES
	@python -m benchmarks.te $(if $(BOOKS),--books $(BOOKS)) $(if $(MODELS),--models $(MODELS)) $(if $(SENTENCES),--sentences $(SENTENCES))

bench-workflow: setup ## the plan of the paper, and what Snakemake and Slurm cost for each job
	@python -m benchmarks.workflow $(if $(PRESET),--preset $(PRESET))

WORKERS := 2
test: lint ## the whole test suite, in WORKERS processes
	@pytest -n $(WORKERS) --dist loadgroup --no-loadscope-reorder

lint: setup ## format, lint, types
	@ruff format --check .
	@ruff check .
	@snakefmt --check Snakefile rules
	@mypy

check: lint ## format, lint, types, quick tests, a plan of every preset: under three minutes
	@pytest -n $(WORKERS) --dist loadgroup --no-loadscope-reorder -m "$(QUICK)"
	@for preset in $(PRESETS); do echo "planning $$preset"; snakemake -n all --quiet host reason rules --cores 1 --config preset=$$preset; done
	@echo "planning the paper"; snakemake --profile slurm -n all --quiet host reason rules

clean: ## delete results and logs; the environments stay
	rm -rf results logs .snakemake
