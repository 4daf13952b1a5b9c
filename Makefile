# Dicelight. `make` alone explains.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.PHONY: help demo test test-appliance check train evaluate clean

help:  ## show this
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'
	@echo '  Extra arguments: make demo ARGS="--port 9000", make test ARGS="tests/vision -k pips"'

demo:  ## the whole thing on this computer: drawn dice, the real reader, the real page
	@.ci/setup demo
	@.venv/bin/dicelight demo $(ARGS)

test:  ## all tests
	@.ci/setup test
	@.venv/bin/python -m pytest $(ARGS)

test-appliance:  ## the real service with pins, SPI and camera, in a virtual machine (root)
	@.ci/setup test
	@tests/appliance/appliance.sh

check:  ## format, lint and types
	@.ci/setup test
	@.venv/bin/ruff format --check .
	@.venv/bin/ruff check .
	@.venv/bin/mypy

train:  ## remake the networks from nothing (two cores, up to two hours); QUICK=1 for a look
	@.ci/setup train
	@.venv-train/bin/python -m vision.train $(if $(QUICK),--quick) $(ARGS)

evaluate:  ## score the reader and write the model card; DRAWN=3000 counts as promised
	@.ci/setup test
	@.venv/bin/python -m vision.evaluate --card $(ARGS)
	@.venv/bin/python -m vision.train.fresh_dice --card --each $(or $(DRAWN),200)

clean:  ## remove the environments and caches, never anybody's dice or games
	rm -rf .venv .venv-train build *.egg-info .pytest_cache .mypy_cache .ruff_cache
