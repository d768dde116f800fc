#!/usr/bin/env bash
# Checks the conditions for tagging a release: release-check.sh [revision to compare with; default: the last tag]
#
# The working tree is clean. CHANGELOG.md has a dated section for the version above all tags and nothing under
# [Unreleased]. A clone builds and passes its tests where OpenSSL and zlib are the only C libraries. The examples build
# with one more case in each enum that may grow. The public declarations are compared with those of the revision, and
# the removed or changed ones are listed: before 1.0 these take a new minor version, afterwards a new major one.
set -euo pipefail
cd "$(dirname "$0")/.."
swift="${SWIFT:-swift}"
fail() { printf 'release-check: %s\n' "$*" >&2; exit 1; }

[ -z "$(git status --porcelain)" ] || fail 'there are uncommitted changes'
version=$(sed -nE 's/^## \[([0-9]+\.[0-9]+\.[0-9]+)\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$/\1/p' CHANGELOG.md | head -n 1)
[ -n "$version" ] || fail 'CHANGELOG.md has no section "## [x.y.z] - date"'
unreleased=$(awk '/^## \[Unreleased\]/ { on = 1; next } /^## / { on = 0 } on' CHANGELOG.md | grep -c '^- ' || true)
[ "$unreleased" -eq 0 ] || fail "[Unreleased] has $unreleased entries that belong under a version"
[ -z "$(git tag --list "$version")" ] || fail "the tag $version exists already"

SWIFT="$swift" Scripts/clean-root.sh || fail 'a clone does not build and pass its tests with OpenSSL and zlib alone'
SWIFT="$swift" Scripts/check-growth.py || fail 'an enum that may grow breaks callers where it does'

base="${1:-$(git describe --tags --abbrev=0 2>/dev/null || true)}"
if [ -z "$base" ]; then
    printf 'release-check: %s is the first tag, so there is nothing to compare with\n' "$version"
    exit 0
fi
printf 'release-check: %s, compared with %s\n' "$version" "$base"
export SWIFT_DETERMINISTIC_HASHING=1
# Compares one product after the other: the package manager (6.3) crashes if it compares several modules at once,
# because they access a table of the system libraries without a lock.
products=$("$swift" package dump-package | python3 -c '
import json, sys
for product in json.load(sys.stdin)["products"]:
    if "library" in product["type"]: print(product["name"])')
# Compares a product, up to three times if the package manager crashes or hangs. The first product takes two whole
# builds, the others take seconds.
compare() {
    local code
    for _ in 1 2 3; do
        code=0
        timeout 1200 "$swift" package diagnose-api-breaking-changes "$base" --products "$1" || code=$?
        [ "$code" -ge 124 ] || break
    done
    return "$code"
}
broken=()
for product in $products; do compare "$product" || broken+=("$product"); done
if [ "${#broken[@]}" -gt 0 ]; then
    fail "${broken[*]}: changes break callers, or the comparison failed; before 1.0 such changes need a new minor version"
fi
