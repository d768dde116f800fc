#!/usr/bin/env bash
# Builds the tests once and runs them target by target: run-tests.sh [arguments of `swift test`]
#
# Inside a target everything runs in parallel; between targets it does not, since the tests that load the machine on
# purpose would starve those that measure time. With arguments it is `swift test` with these.
set -euo pipefail
cd "$(dirname "$0")/.."
swift="${SWIFT:-swift}"
if [ "$#" -gt 0 ]; then exec "$swift" test "$@"; fi

"$swift" build --build-tests

log=$(mktemp)
trap 'rm -f "$log"' EXIT
tests=0 failed=()
for folder in Tests/*/; do
    target=$(basename "$folder")
    printf '\n== %s\n' "$target"
    # Started and passed tests are the rule; the log shows the rest and the summary.
    "$swift" test --skip-build --filter "^$target\\." >"$log" 2>&1 || failed+=("$target")
    grep -vE '^(◇|↳|✔ (Test|Suite) |Test Suite|.*Executed 0 tests|\[)' "$log" || true
    grep -E '^(✔|✘) Test run' "$log" || true
    count=$(sed -nE 's/^(✔|✘) Test run with ([0-9]+) tests?.*/\2/p' "$log" | tail -n 1)
    tests=$((tests + ${count:-0}))
done

printf '\n'
if [ "${#failed[@]}" -gt 0 ]; then
    printf 'failed: %s\n' "${failed[@]}"
    exit 1
fi
printf 'tests: %d passed, 0 failed\n' "$tests"
