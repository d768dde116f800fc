#!/usr/bin/env bash
# Builds the tests, and those of the examples, and runs them target by target: run-tests.sh [arguments of `swift test`]
#
# With all traits of the package, always: each changes the flags of all of its modules, so that a build with and one without
# compile everything anew where they take turns. Whoever calls `swift build` or `swift test` in between does so with
# `--enable-all-traits`, too, or with a `--scratch-path` of his own.
#
# Inside a target a few tests run in parallel; between targets none do, since the tests that load the machine on purpose would
# starve those that measure time. With arguments it is `swift test` with these.
set -euo pipefail
cd "$(dirname "$0")/.."
swift="${SWIFT:-swift}"
# The package manager (6.3) passes traits to the compiler in the order of a set, which differs from run to run unless hashing
# is told not to: each build would compile everything anew. The whole run below gets it for builds only, so that tests see sets in
# any order.
build() { SWIFT_DETERMINISTIC_HASHING=1 "$swift" build --build-tests "$@"; }
if [ "$#" -gt 0 ]; then exec env SWIFT_DETERMINISTIC_HASHING=1 "$swift" test --enable-all-traits "$@"; fi

build --enable-all-traits
build --package-path Examples

log=$(mktemp)
findings=$(mktemp)
trap 'rm -f "$log" "$findings"' EXIT

# What a target that failed has to say: its failures with what was noted at them, and where it did not come to its end (a
# crash, a test that never ended) which tests had started without ending, and its last words.
explain() {
    awk '/^(◇|✔|➜|✘ Test run)/ { on = 0 } /^✘ (Test|Suite) / { on = !/^✘ Test run/ }
        /^↳ (Testing Library|Target Platform|\/\/\/)/ { on = 0 } on || /[Ff]atal error/' "$log" | head -n 200
    if ! grep -qE '^(✔|✘) Test run' "$log"; then
        comm -23 <(sed -nE 's/^◇ Test (.*) started\.$/\1/p' "$log" | sort -u) \
            <(sed -nE 's/^[✔✘] Test (.*) (passed|failed) after .*/\1/p' "$log" | sed 's/ with [0-9]* test cases$//' | sort -u) |
            sed 's/^/did not end: /' | head -n 40
        tail -n 40 "$log"
    fi
}

# Swift Testing starts all the cases of a target at once, on a pool with a thread for each core: those that compute then
# let those that wait for a server come to their time limits. One more than there are cores, that waiting ones cost no time.
width=()
if "$swift" test --help-hidden | grep -q -e --experimental-maximum-parallelization-width; then
    width=(--experimental-maximum-parallelization-width "$(($(nproc) + 1))")
fi

tests=0 failed=()
for folder in Tests/*/ Examples/Tests/*/; do
    target=$(basename "$folder")
    package=${folder%%Tests/*}
    printf '\n== %s\n' "$target"
    options=(${width[@]+"${width[@]}"} --skip-build --filter "^$target\\.")
    [ -n "$package" ] || options+=(--enable-all-traits)
    run() { "$swift" test --package-path "./$package" "${options[@]}" >"$log" 2>&1; }
    # Tests of faults measure time, which whoever shares the machine may spoil: a target that failed is run once more, and
    # what failed the first time is told all the same.
    if ! run; then
        { printf '\n== failures of %s\n' "$target"; explain; } >>"$findings"
        printf 'failed, so once more\n'
        if ! run; then
            failed+=("$target")
            { printf '\n== failures of %s when repeated\n' "$target"; explain; } >>"$findings"
        fi
    fi
    # Started and passed tests are the rule; the log shows the rest and the summary.
    grep -vE '^(◇|↳|✔ (Test|Suite) |Test Suite|.*Executed 0 tests|\[|$)' "$log" || true
    grep -E '^(✔|✘) Test run' "$log" || true
    count=$(sed -nE 's/^(✔|✘) Test run with ([0-9]+) tests?.*/\2/p' "$log" | tail -n 1)
    tests=$((tests + ${count:-0}))
done

# Last, where the end of a long log is all that is kept of it.
cat "$findings"
printf '\n'
if [ "${#failed[@]}" -gt 0 ]; then
    printf 'failed: %s\n' "${failed[@]}"
    exit 1
fi
printf 'tests: %d passed, 0 failed\n' "$tests"
