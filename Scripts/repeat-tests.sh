#!/usr/bin/env bash
# Runs all tests many times on a busy machine: repeat-tests.sh [TARGET…; default: all, and Examples for its package]
#
# RUNS is the number of runs (default 50) and JOBS the number of runs at a time (default 8, which is a load of about 8).
# Each run executes the targets in an order of its own. Prints a line per run with the load of the machine, the failures
# and their number at the end. Exits with 1 if any test has failed once. The logs of failures are kept in .build/repeat.
set -euo pipefail
cd "$(dirname "$0")/.."
export SWT_SWIFT_ERROR_BACKTRACING_ENABLED=0 NO_COLOR=1 # see run-tests.sh
runs=${RUNS:-50} jobs=${JOBS:-8} swift="${SWIFT:-swift}"
read -r -a flags <<<"${SOCKEYE_BUILD_FLAGS:-}"
# The library is compiled with optimization, in a folder of its own, so that a run takes half the time.
export SWIFT_DETERMINISTIC_HASHING=1 SOCKEYE_SHARED_BUILD=1 SOCKEYE_OPTIMIZED=1 SOCKEYE_WITHOUT_FRAMEWORKS=1
build() { "$swift" build --scratch-path .build-repeat "${flags[@]}" "$@"; }
of_library=(--traits All)
build --build-tests "${of_library[@]}"
build --build-tests --package-path Examples
built=$(build "${of_library[@]}" --show-bin-path)
failures=.build/repeat
rm -rf "$failures"
mkdir -p "$failures"
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

targets=("$@")
[ "$#" -gt 0 ] || mapfile -t targets < <(echo Examples && cd Tests && printf '%s\n' *Tests)

# run NUMBER: runs each target in a process of its own.
run() {
    local start=$SECONDS tests=0 failed=0 target log tested count
    for target in $(shuf -e "${targets[@]}"); do
        log="$logs/$target.$1" tested=("$built/sockeyePackageTests.xctest" --filter "^$target\\.")
        [ "$target" != Examples ] || tested=("$built/sockeye-examplesPackageTests.xctest")
        if ! "${tested[@]}" --testing-library swift-testing --no-parallel >"$log" 2>&1; then
            failed=$((failed + 1))
            cp "$log" "$failures/$target.$1.log"
        fi
        count=$(sed -nE 's/^(✔|✘) Test run with ([0-9]+) tests?.*/\2/p' "$log" | tail -n 1)
        tests=$((tests + ${count:-0}))
        rm "$log"
    done
    printf 'run %d: %d tests, %d targets failed, %d s, load %s\n' \
        "$1" "$tests" "$failed" "$((SECONDS - start))" "$(cut -d ' ' -f 1 /proc/loadavg)"
}

for ((number = 1; number <= runs; number++)); do
    [ "$number" -le "$jobs" ] || wait -n
    run "$number" &
done
wait

for log in "$failures"/*.log; do
    [ -f "$log" ] || continue
    printf '\n== %s\n' "$log"
    grep -E '^(✘|↳)|[Ff]atal error' "$log" | head -n 40 || tail -n 20 "$log"
done
found=$(find "$failures" -name '*.log' | wc -l)
printf '\n%d runs, %d failures of a target\n' "$runs" "$found"
[ "$found" = 0 ]
