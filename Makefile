# Tasks of the repository. A fresh Debian machine needs the Swift toolchain and make, nothing else: what a task lacks
# it installs through Scripts/install-deps.sh, which does nothing at all when everything is there.

SWIFT ?= swift
# Where `make demo` sends its requests: make demo URL=https://example.com
URL ?=
# Further arguments of demo, test, bench and bench-check: make test ARGS='--filter Pool'
ARGS ?=
# Set to 1 for a benchmark of less than three minutes.
QUICK ?=

SOURCES = $(wildcard Package.swift Sources Tests Examples/Package.swift Examples/Sources Examples/Tests \
	Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Micro/Package.swift Benchmarks/Micro/Sources \
	Benchmarks/Micro/Benchmarks)

.PHONY: help demo test lint format bench bench-check bench-thresholds

help:
	@echo 'make demo [URL=…]     runs the example client'
	@echo 'make test [ARGS=…]    runs all tests'
	@echo 'make lint             checks style, sizes and public documentation'
	@echo 'make format           rewrites the sources in the style that lint checks'
	@echo 'make bench [QUICK=1]  compares with other clients and writes Benchmarks/RESULTS.md'
	@echo 'make bench-check      compares the instructions of single steps with the committed thresholds'
	@echo 'make bench-thresholds writes the thresholds anew'

demo:
	@Scripts/install-deps.sh build
	@$(SWIFT) run --package-path Examples --configuration release demo $(URL) $(ARGS)

test:
	@Scripts/install-deps.sh test
	@SWIFT=$(SWIFT) Scripts/run-tests.sh $(ARGS)

lint:
	@$(SWIFT) format lint --strict --parallel --recursive --configuration .swift-format $(SOURCES)
	@python3 Scripts/check-sources.py

format:
	@$(SWIFT) format --in-place --parallel --recursive --configuration .swift-format $(SOURCES)

bench:
	@Scripts/install-deps.sh bench
	@$(SWIFT) build --package-path Benchmarks --configuration release
	@$(SWIFT) run --package-path Benchmarks --configuration release --skip-build \
		sockeye-bench $(if $(QUICK),--quick) $(ARGS)

# Only instructions: what else the machine does changes times, but not them. Says so and succeeds where they cannot be
# counted, or where there are no thresholds for the toolchain.
bench-check:
	@Scripts/install-deps.sh build
	@SWIFT=$(SWIFT) Scripts/micro-benchmarks.py check $(ARGS)

bench-thresholds:
	@Scripts/install-deps.sh build
	@SWIFT=$(SWIFT) Scripts/micro-benchmarks.py update $(ARGS)
