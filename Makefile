# Tasks of the repository. A fresh Debian machine needs the Swift toolchain and make, nothing else: what a task lacks
# it installs through Scripts/install-deps.sh, which does nothing at all when everything is there.

SWIFT ?= swift
# Where `make demo` sends its requests: make demo URL=https://example.com
URL ?=
# Further arguments of demo, test, bench and bench-check: make test ARGS='--filter Pool'
ARGS ?=
# Set to 1 for a benchmark of less than three minutes, whose results go to Benchmarks/.build/quick.
QUICK ?=
# Seconds for each fuzz target, the one to run (default all), and an input to repeat with it.
TIME ?= 60
TARGET ?=
INPUT ?=
# Exchanges of the soak, which ones (default by chance), and address or thread for a sanitizer.
COUNT ?= 20000
SEED ?=
SANITIZE ?=
# How many calls of each case fail in turn, and which cases of `make shortage` run.
LIMIT ?=
ONLY ?=
# Set to 1 for charts as PNG, too.
PNG ?=
# The results.json of two runs for bench-compare.
A ?=
B ?=

SOURCES = $(wildcard Package.swift Sources Tests Examples/Package.swift Examples/Sources Examples/Tests \
	Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests Benchmarks/Micro/Package.swift \
	Benchmarks/Micro/Sources Benchmarks/Micro/Benchmarks)

# What `make release-check` compares with (default: the last tag).
BASE ?=

# Where `make install` puts the command `sockeye`: PREFIX=~/.local needs no root.
PREFIX ?= /usr/local

# Where `make docs` puts the site (default: .build/docs).
SITE ?=

# The disk that bench-disk measures.
FOLDER ?= .build

.PHONY: help install demo test check lint format modules docs api api-check release-check check-growth fuzz soak shortage stream-figures bench bench-disk bench-proxies bench-codings bench-frontier bench-charts bench-compare bench-repeat bench-check bench-thresholds request-cost

help:
	@echo 'make demo [URL=…]     runs the example client'
	@echo 'make install [PREFIX=~/.local]  builds the command sockeye and installs it with man page and completions'
	@echo 'make test [ARGS=…]    runs all tests'
	@echo 'make check [BASE=…]   the inner loop: lint, and the tests of targets that differ from BASE (default: HEAD)'
	@echo 'make lint             checks style, sizes, structure, names and public documentation'
	@echo 'make format           rewrites the sources in the style that lint checks'
	@echo 'make docs [SITE=…]     builds the documentation of all products as one site; fails on any warning'
	@echo 'make api              writes the public declarations to Scripts/api, as the baseline of api-check'
	@echo 'make api-check        compares the public declarations with those in Scripts/api'
	@echo 'make check-growth     adds a case to each enum that may grow, in a copy, and builds the examples with it'
	@echo 'make release-check [BASE=…]  what must be true before a release is tagged; lists what breaks callers'
	@echo 'make fuzz [TIME=60] [TARGET=…]  feeds what the fuzzer makes to every parser, so many seconds each; RUNS=n instead: the same n inputs each time'
	@echo 'make soak [COUNT=20000] [SEED=…] [SANITIZE=address]  so many exchanges with hostile and honest servers'
	@echo 'make shortage [LIMIT=200] [ONLY=…]  fails each allocation and each open in turn, under AddressSanitizer'
	@echo 'make stream-figures   prints how fast lines and events are read, beside memchr'
	@echo 'make bench [QUICK=1]  compares with other clients and writes Benchmarks/RESULTS.md with its charts'
	@echo 'make bench-charts     writes RESULTS.md and the charts anew from results.json; PNG=1 for pictures, too'
	@echo 'make bench-repeat     runs the benchmark twice and fails where a ratio differs by more than 15 %'
	@echo 'make bench-compare A=… B=…  the same for the results.json of two runs'
	@echo 'make bench-check      compares the instructions of single steps and of whole requests with the committed thresholds'
	@echo 'make request-cost     prints instructions, allocations and system calls of a small GET, on any machine'
	@echo 'make bench-disk [FOLDER=…]  1 GiB into the disk store of the cache and out again, beside a plain file'
	@echo 'make bench-proxies    small GETs through proxies, beside other clients'
	@echo 'make bench-codings    1 GiB by gzip, br and zstd, beside other clients'
	@echo 'make bench-frontier   what io_uring would bring: epoll beside it, by clients in C (Benchmarks/Frontier)'
	@echo 'make bench-thresholds writes the thresholds anew'

demo:
	@Scripts/install-deps.sh build
	@$(SWIFT) run --package-path Examples --configuration release demo $(URL) $(ARGS)

install:
	@Scripts/install-deps.sh build
	@SWIFT=$(SWIFT) Scripts/install-tool.sh $(PREFIX)

test:
	@Scripts/install-deps.sh test
	@SWIFT=$(SWIFT) Scripts/run-tests.sh $(ARGS)

check:
	@Scripts/install-deps.sh test
	@SWIFT=$(SWIFT) Scripts/check.sh $(BASE)

lint:
	@$(SWIFT) format lint --strict --parallel --recursive --configuration .swift-format $(SOURCES)
	@python3 Scripts/test_checks.py
	@python3 Scripts/check-sources.py

format:
	@$(SWIFT) format --in-place --parallel --recursive --configuration .swift-format $(SOURCES)

# The modules of which documentation and public declarations are read; once where both are made.
modules:
	@Scripts/install-deps.sh docs
	@SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build --traits All

docs: modules
	@SWIFT=$(SWIFT) Scripts/build-docs.py $(SITE)

api: modules
	@SWIFT=$(SWIFT) Scripts/api.py update

api-check: modules
	@SWIFT=$(SWIFT) Scripts/api.py check

check-growth:
	@Scripts/install-deps.sh build
	@SWIFT=$(SWIFT) Scripts/check-growth.py $(ARGS)

release-check:
	@Scripts/install-deps.sh build
	@SWIFT=$(SWIFT) Scripts/release-check.sh $(BASE)

fuzz:
	@Scripts/install-deps.sh fuzz
	@SWIFT=$(SWIFT) TIME=$(TIME) RUNS=$(RUNS) INPUT=$(INPUT) Scripts/fuzz.sh $(TARGET)

soak:
	@Scripts/install-deps.sh fuzz
	@SWIFT=$(SWIFT) COUNT=$(COUNT) SEED=$(SEED) SANITIZE=$(SANITIZE) Scripts/soak.sh

shortage:
	@Scripts/install-deps.sh fuzz
	@SWIFT=$(SWIFT) LIMIT=$(LIMIT) ONLY=$(ONLY) Scripts/shortage.sh

stream-figures:
	@Scripts/install-deps.sh build
	@$(SWIFT) run --configuration release SockeyeStreamFigures

build-bench = SWIFT=$(SWIFT) Benchmarks/Scripts/build.sh
sockeye-bench = $(SWIFT) run --package-path Benchmarks --configuration release --skip-build sockeye-bench
charts = $(if $(QUICK),Benchmarks/.build/quick/Charts,Benchmarks/Charts)

bench:
	@Scripts/install-deps.sh bench
	@Scripts/install-deps.sh peers
	@$(if $(PNG),Scripts/install-deps.sh charts)
	@$(build-bench)
	@Benchmarks/Scripts/build-peers.sh
	@$(sockeye-bench) $(if $(QUICK),--quick) $(ARGS)
	@$(if $(PNG),Scripts/draw-charts.sh $(charts))

# From the figures that were kept, without measuring anything.
bench-charts:
	@Scripts/install-deps.sh build
	@$(if $(PNG),Scripts/install-deps.sh charts)
	@$(build-bench) --product sockeye-bench
	@$(sockeye-bench) report $(if $(QUICK),--folder Benchmarks/.build/quick) $(ARGS)
	@$(if $(PNG),Scripts/draw-charts.sh $(charts))

bench-compare:
	@Scripts/install-deps.sh build
	@$(build-bench) --product sockeye-bench
	@$(sockeye-bench) compare $(A) $(B) $(ARGS)

bench-repeat:
	@Scripts/install-deps.sh bench
	@Scripts/install-deps.sh peers
	@$(build-bench)
	@Benchmarks/Scripts/build-peers.sh
	@$(sockeye-bench) $(if $(QUICK),--quick) --output Benchmarks/.build/repeat-1 $(ARGS)
	@$(sockeye-bench) $(if $(QUICK),--quick) --output Benchmarks/.build/repeat-2 $(ARGS)
	@$(sockeye-bench) compare Benchmarks/.build/repeat-1/results.json Benchmarks/.build/repeat-2/results.json

# Only instructions: what else the machine does changes times, but not them. Single steps by the processor's counter, whole
# requests by valgrind. Each says so and succeeds where they cannot be counted, or where there are no thresholds for the toolchain.
bench-check:
	@Scripts/install-deps.sh count
	@SWIFT=$(SWIFT) Scripts/micro-benchmarks.py check $(ARGS)
	@SWIFT=$(SWIFT) Scripts/request-cost.py check

bench-thresholds:
	@Scripts/install-deps.sh count
	@SWIFT=$(SWIFT) Scripts/request-cost.py update
	@SWIFT=$(SWIFT) Scripts/micro-benchmarks.py update $(ARGS)

request-cost:
	@Scripts/install-deps.sh count
	@SWIFT=$(SWIFT) Scripts/request-cost.py table

bench-proxies:
	@Benchmarks/Scripts/proxies.sh $(if $(QUICK),--quick) $(ARGS)

bench-codings:
	@Benchmarks/Scripts/codings.sh $(if $(QUICK),--quick) $(ARGS)

bench-frontier:
	@Benchmarks/Scripts/frontier.sh $(if $(ARGS),$(ARGS),$(if $(QUICK),3 0.1))

bench-disk:
	@Scripts/install-deps.sh disk
	@folder=$$(mktemp -d "$(FOLDER)/disk-cache.XXXXXX"); trap 'rm -rf "$$folder"' EXIT; \
	$(SWIFT) run --configuration release --traits All DiskCacheProbe measure "$$folder" 1073741824
