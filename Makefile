# Tasks of the repository. A fresh Debian machine needs only the Swift toolchain and make. Each task installs missing
# packages with Scripts/install-deps.sh, which does nothing if all are installed.

SWIFT ?= swift
# The server that `make demo` sends its requests to: make demo URL=https://example.com
URL ?=
# Further arguments of demo, test, bench and bench-check: make test ARGS='--filter Pool'
ARGS ?=
# Set to 1 for a benchmark of less than three minutes, which writes its results to Benchmarks/.build/quick.
QUICK ?=
# Further flags of all debug builds, which share the folder .build; .ci/run sets them.
SOCKEYE_BUILD_FLAGS ?=
# Seconds for each fuzz target, the target to run (default: all), and an input to repeat with it.
TIME ?= 60
TARGET ?=
INPUT ?=
# The number of exchanges of the soak, the seed that selects them (default: random), and address or thread for a
# sanitizer.
COUNT ?= 20000
SEED ?=
SANITIZE ?=
# For `make shortage`: the number of calls of each case that fail in turn, and a part of the names of the cases to run.
LIMIT ?=
ONLY ?=
# Set to 1 for compile-changed to compile unchanged code, too.
ALWAYS ?=
# Set to 1 to draw the charts as PNG, too.
PNG ?=
# The results.json files of two runs, for bench-compare.
A ?=
B ?=

SOURCES = $(wildcard Package.swift Sources Tests Examples/Package.swift Examples/Sources Examples/StandIns \
	Examples/Tests Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Tests \
	Benchmarks/Micro/Package.swift Benchmarks/Micro/Sources Benchmarks/Micro/Benchmarks)

# The revision that `make release-check` compares with (default: the last tag).
BASE ?=

# The folder into which `make install` installs the command `sockeye`; PREFIX=~/.local needs no root.
PREFIX ?= /usr/local

# The folder into which `make docs` writes the site (default: .build/docs), and the port of `make docs-serve`.
SITE ?=
PORT ?= 8000

# A folder on the disk that bench-disk measures.
FOLDER ?= .build

.PHONY: help install demo test repeat-tests check lint format modules docs docs-serve docs-width api api-check release-check check-growth check-platforms compile-changed fuzz soak shortage stream-figures bench bench-disk bench-proxies bench-codings bench-frontier bench-observability bench-charts bench-compare bench-repeat bench-check bench-thresholds request-cost

help:
	@echo 'make demo [URL=…]     runs the example client'
	@echo 'make install [PREFIX=~/.local]  builds the command sockeye and installs it with its man page and completions'
	@echo 'make test [ARGS=…]    runs all tests; those of examples with large packages are run by compile-changed'
	@echo 'make repeat-tests [RUNS=50] [JOBS=8]  runs all tests RUNS times, JOBS runs at a time; fails if a test fails once'
	@echo 'make check [BASE=…]   the inner loop: lint, and the tests of targets that differ from BASE (default: HEAD)'
	@echo 'make lint             checks style, sizes, structure, names and public documentation'
	@echo 'make format           rewrites the sources in the style that lint checks'
	@echo 'make docs [SITE=…]     builds the documentation of all products as one site; fails on any warning'
	@echo 'make docs-serve [PORT=8000]  shows the site at http://localhost:8000/'
	@echo 'make docs-width       checks with Chromium that no code block of the site scrolls sideways; skipped without it'
	@echo 'make api              writes the public declarations to Scripts/api, the baseline of api-check'
	@echo 'make api-check        compares the public declarations with those in Scripts/api'
	@echo 'make check-growth     adds a case to each enum that may grow, in a copy, and builds the examples with it'
	@echo 'make check-platforms [ARGS=…]  compiles and links the C targets for macOS, FreeBSD, musl and arm64, and runs their checks'
	@echo 'make compile-changed [ALWAYS=1]  compiles and tests the benchmarks and the examples with large packages, if they have changed'
	@echo 'make release-check [BASE=…]  checks the conditions for tagging a release; lists changes that break callers'
	@echo 'make fuzz [TIME=60] [TARGET=…]  runs each fuzz target for TIME seconds; with RUNS=n, with the same n inputs each time'
	@echo 'make soak [COUNT=20000] [SEED=…] [SANITIZE=address]  runs COUNT exchanges with hostile and honest servers'
	@echo 'make shortage [LIMIT=200] [ONLY=…]  makes each allocation and each open fail in turn, under AddressSanitizer'
	@echo 'make stream-figures   prints how fast lines and events are read, compared with memchr'
	@echo 'make bench [QUICK=1]  compares with other clients and writes Benchmarks/RESULTS.md with its charts'
	@echo 'make bench-charts     writes RESULTS.md and the charts again from results.json; PNG=1 also draws PNG files'
	@echo 'make bench-repeat     runs the benchmark twice and fails if a ratio differs by more than 15 %'
	@echo 'make bench-compare A=… B=…  does the same for the results.json of two earlier runs'
	@echo 'make bench-check      compares the instructions of single steps and of whole requests with the committed thresholds'
	@echo 'make request-cost     prints instructions, allocations and system calls of a small GET, on any machine'
	@echo 'make bench-disk [FOLDER=…]  writes 1 GiB to the disk store of the cache and reads it, compared with a plain file'
	@echo 'make bench-proxies    compares small GETs through proxies with other clients'
	@echo 'make bench-codings    compares downloads of 1 GiB coded by gzip, br and zstd with other clients'
	@echo 'make bench-observability  measures the cost of logs, metrics and spans (Benchmarks/Scripts/observed.sh)'
	@echo 'make bench-frontier   compares io_uring with epoll, by clients in C (Benchmarks/Frontier)'
	@echo 'make bench-thresholds writes the thresholds for bench-check again'

demo:
	@Scripts/install-deps.sh build
	@SOCKEYE_WITHOUT_FRAMEWORKS=1 $(SWIFT) run --package-path Examples --configuration release demo $(URL) $(ARGS)

install:
	@Scripts/install-deps.sh build
	@SWIFT=$(SWIFT) Scripts/install-tool.sh $(PREFIX)

test:
	@Scripts/install-deps.sh test
	@SWIFT=$(SWIFT) Scripts/run-tests.sh $(ARGS)

repeat-tests:
	@Scripts/install-deps.sh test
	@SWIFT=$(SWIFT) RUNS=$(RUNS) JOBS=$(JOBS) Scripts/repeat-tests.sh $(ARGS)

check:
	@Scripts/install-deps.sh test
	@SWIFT=$(SWIFT) Scripts/check.sh $(BASE)

lint:
	@$(SWIFT) format lint --strict --parallel --recursive --configuration .swift-format $(SOURCES)
	@python3 Scripts/test_checks.py
	@python3 Scripts/check-sources.py

format:
	@$(SWIFT) format --in-place --parallel --recursive --configuration .swift-format $(SOURCES)

# Builds the modules from which documentation and public declarations are read; once if both are targets of one make.
modules:
	@Scripts/install-deps.sh docs
	@SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build --traits All $(SOCKEYE_BUILD_FLAGS)

docs: modules
	@SWIFT=$(SWIFT) Scripts/build-docs.py $(SITE)

# Shows what `make docs` has built, until Ctrl-C.
docs-serve:
	@echo "http://localhost:$(PORT)/"
	@python3 -m http.server --bind 127.0.0.1 --directory $(if $(SITE),$(SITE),.build/docs) $(PORT)

docs-width:
	@Scripts/check-width.py $(SITE)

api: modules
	@SWIFT=$(SWIFT) Scripts/api.py update

api-check: modules
	@SWIFT=$(SWIFT) Scripts/api.py check

check-growth:
	@Scripts/install-deps.sh build
	@SWIFT=$(SWIFT) Scripts/check-growth.py $(ARGS)

# These two scripts install missing packages themselves, because they need none if nothing has changed.
check-platforms:
	@Scripts/check-platforms.py $(ARGS)

compile-changed:
	@SWIFT=$(SWIFT) ALWAYS=$(ALWAYS) Scripts/compile-changed.py $(ARGS)

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

# Uses the stored figures and measures nothing.
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

# Counts only instructions, because other load on the machine changes times, but not instructions. The processor's
# counter counts those of single steps, valgrind those of whole requests. If they cannot be counted, or there are no
# thresholds for the toolchain, the script says so and succeeds.
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

bench-observability:
	@Scripts/install-deps.sh bench
	@SWIFT=$(SWIFT) Benchmarks/Scripts/observed.sh $(if $(ARGS),$(ARGS),$(if $(QUICK),3 0.5))

bench-frontier:
	@Benchmarks/Scripts/frontier.sh $(if $(ARGS),$(ARGS),$(if $(QUICK),3 0.1))

bench-disk:
	@Scripts/install-deps.sh disk
	@folder=$$(mktemp -d "$(FOLDER)/disk-cache.XXXXXX"); trap 'rm -rf "$$folder"' EXIT; \
	$(SWIFT) run --configuration release --traits All DiskCacheProbe measure "$$folder" 1073741824
