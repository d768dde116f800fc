#!/usr/bin/env bash
# A quick check while editing: lint, and the tests of the targets that differ from a revision: check.sh [REVISION;
# default: HEAD]
#
# A change in Sources/X or Tests/XTests runs the tests of XTests, and a change in Tests/Cases those of the targets that
# read the file. changed_tests.py names the tests of the other targets, such as the C targets.
set -euo pipefail
cd "$(dirname "$0")/.."
swift="${SWIFT:-swift}"
changed=$(git diff --name-only "${1:-HEAD}" -- Sources Tests; git ls-files --others --exclude-standard -- Sources Tests)
names=$(python3 Scripts/changed_tests.py <<< "$changed")
read -r -a targets <<< "$names"

make --no-print-directory lint
if [ "${#targets[@]}" -eq 0 ]; then
    echo "check: no target differs from ${1:-HEAD}"
    exit 0
fi
build=(env SWIFT_DETERMINISTIC_HASHING=1 "$swift" build --traits All)
"${build[@]}" --build-tests
printf 'check: %s\n' "${targets[*]}"
filter=$(IFS='|' && echo "^(${targets[*]})\\.")
export SWT_SWIFT_ERROR_BACKTRACING_ENABLED=0  # see run-tests.sh
"$("${build[@]}" --show-bin-path)/sockeyePackageTests.xctest" --testing-library swift-testing --no-parallel --filter "$filter" |
    grep -vE '^(◇|↳|✔ (Test|Suite) )'
