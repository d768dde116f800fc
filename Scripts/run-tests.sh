#!/usr/bin/env bash
# Builds the tests, and those of the examples, and runs them: run-tests.sh [arguments of `swift test`]
#
# It always builds with all traits of the package. A trait changes the compiler's flags for every module, so a build
# with other traits in the same folder would compile everything again. Call `swift build` and `swift test` by hand with
# `--traits All`, too, or with another `--scratch-path`.
#
# The test bundles run directly, one test at a time in each process, so that a test measures its own time. Two processes
# run at a time: the tests must pass on a busy machine. A test that fails once makes the run fail; the target is then
# repeated, and the log says whether it failed again. With arguments this is `swift test` with these arguments.
#
# SOCKEYE_SYSTEM=kqueue-model or minimal tests that backend of the platform (see Package.swift), in a build folder of
# its own.
set -euo pipefail
cd "$(dirname "$0")/.."
# Swift Testing keeps a backtrace of each thrown error, typed or not and also within the standard library. It takes a
# fraction of a millisecond, no log shows it, and tests of faulty input throw many errors. Processes that a test starts
# inherit the variable.
export SWT_SWIFT_ERROR_BACKTRACING_ENABLED=0
swift="${SWIFT:-swift}"
# Builds use a fixed hash seed, because SwiftPM (6.3) passes traits to the compiler in the order of a set, and another
# order compiles everything again. The tests run with random seeds, so that they see sets in different orders.
scratch=.build${SOCKEYE_SYSTEM:+/$SOCKEYE_SYSTEM}
# All builds in one folder need the same flags, or each compiles everything again.
read -r -a flags <<<"${SOCKEYE_BUILD_FLAGS:-}"
build() { SWIFT_DETERMINISTIC_HASHING=1 "$swift" build --scratch-path "$scratch" "${flags[@]}" "$@"; }
if [ "$#" -gt 0 ]; then
    exec env SWIFT_DETERMINISTIC_HASHING=1 "$swift" test --scratch-path "$scratch" --traits All "${flags[@]}" "$@"
fi

# The examples share the folder of the library's build, so that it is compiled once (see the trait `All`). Those with
# large packages of others are compiled and tested by compile-changed.py.
export SOCKEYE_SHARED_BUILD=1 SOCKEYE_WITHOUT_FRAMEWORKS=1
of_library=(--traits All)
of_examples=(--package-path Examples)
build --build-tests "${of_library[@]}"
build --build-tests "${of_examples[@]}"
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

built=$(build "${of_library[@]}" --show-bin-path)
library="$built/sockeyePackageTests.xctest"
examples="$built/sockeye-examplesPackageTests.xctest"

# The groups of targets of each lane; a group is one process. The lanes take about the same time.
first=(
    'SockeyeServerTests'
    'SockeyeHTTPTests SockeyeSerializationTests SockeyeXMLTests SockeyeImagesTests SockeyePropertyListsTests SockeyeCoreTests'
    'SockeyeConformanceTests SockeyeTestingTests SockeyeDiskCacheTests'
    'SockeyeArchivingTests SockeyeObservabilityTests SockeyeServiceTests SockeyeFoundationTests SockeyeBenchmarkTests'
    'SockeyeWebSocketTests'
)
second=(
    'SockeyeFaultTests'
    'SockeyeTests SockeyeNetTests SockeyeEngineTests SockeyeTransfersTests SockeyeCacheTests'
    'SockeyeStreamsTests SockeyeDNSTests SockeyeDiagnosticsTests SockeyePlatformTests'
)
# A target that is in no list gets a process of its own.
for folder in Tests/*Tests/; do
    target=$(basename "$folder")
    [[ " ${first[*]} ${second[*]} " == *" $target "* ]] || second+=("$target")
done

# run BUNDLE GROUP LOG: all tests of a group of targets, in one process; those of the whole bundle for Examples.
run() {
    local targets="${2% }"
    [ "$targets" != Examples ] || targets='\w+'
    "$1" --testing-library swift-testing --no-parallel --filter "^(${targets// /|})\\." >"$3" 2>&1
}

# attempt BUNDLE GROUP: runs a group; if it fails, once more, to show whether it fails each time.
attempt() {
    local log="$logs/${2%% *}"
    if run "$1" "$2" "$log.log"; then return; fi
    mv "$log.log" "$log.failed.log"
    run "$1" "$2" "$log.log" && echo 'passed' >"$log.repeated" || echo 'failed' >"$log.repeated"
}

# The failures in a log, with their notes. If the process ended early (a crash, a test that did not end): the tests that
# had started and not ended, and the last lines.
explain() {
    awk '/^(◇|✔|➜|✘ Test run)/ { on = 0 } /^✘ (Test|Suite) / { on = !/^✘ Test run/ }
        /^↳ (Testing Library|Target Platform|\/\/\/)/ { on = 0 } on || /[Ff]atal error/' "$1" | head -n 200
    if ! grep -qE '^(✔|✘) Test run' "$1"; then
        comm -23 <(sed -nE 's/^◇ Test (.*) started\.$/\1/p' "$1" | sort -u) \
            <(sed -nE 's/^[✔✘] Test (.*) (passed|failed) after .*/\1/p' "$1" | sed 's/ with [0-9]* test cases$//' | sort -u) |
            sed 's/^/did not end: /' | head -n 40
        tail -n 40 "$1"
    fi
}

lane() { for group in "$@"; do attempt "$library" "$group"; done; }
lane "${first[@]}" &
lane "${second[@]}"
attempt "$examples" Examples
wait

tests=0 failed=()
for log in "$logs"/*.log; do
    name=$(basename "$log" .log)
    [[ "$name" != *.failed ]] || continue
    first="$logs/$name.failed.log"
    [ -f "$first" ] || first=$log
    printf '\n== %s and others of its process\n' "$name"
    # Started and passed tests are the rule; the log shows the rest and the summary.
    grep -vE '^(◇|↳|✔ (Test|Suite) |Test Suite|.*Executed 0 tests|\[|$)' "$first" || true
    grep -E '^(✔|✘) Test run' "$first" || true
    count=$(sed -nE 's/^(✔|✘) Test run with ([0-9]+) tests?.*/\2/p' "$first" | tail -n 1)
    tests=$((tests + ${count:-0}))
    # The reason of each skipped test. The log has a line for the suite as well if all of its tests are skipped.
    sed -nE 's/^➜ Test .* skipped(: "(.*)"|\.)$/\2/p' "$first" | sed 's/^$/no reason/' >>"$logs/skipped"
    # A filter that matches nothing must not pass for a success.
    if [ "${count:-0}" -eq 0 ] && [ ! -f "$logs/$name.repeated" ]; then echo 'ran no test' >"$logs/$name.repeated"; fi
    [ ! -f "$logs/$name.repeated" ] || failed+=("$name (repeated: $(cat "$logs/$name.repeated"))")
done

skipped=$(wc -l <"$logs/skipped")
if [ "$skipped" -gt 0 ]; then
    printf '\n== tests that were skipped, by reason\n'
    sort "$logs/skipped" | uniq -c | sort -rn
fi

# A CI system may keep only the end of a long log, so the failures are printed last.
for log in "$logs"/*.failed.log; do
    [ -f "$log" ] || continue
    printf '\n== failures of %s\n' "$(basename "$log" .failed.log)"
    explain "$log"
done
printf '\n'
if [ "${#failed[@]}" -gt 0 ]; then
    printf 'failed: %s\n' "${failed[@]}"
    exit 1
fi
printf 'tests: %d passed, %d skipped, 0 failed\n' "$((tests - skipped))" "$skipped"
