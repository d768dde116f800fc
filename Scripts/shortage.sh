#!/usr/bin/env bash
# Creates an object of every type that owns C memory or a descriptor, under AddressSanitizer. In each run another
# allocation or open fails: Tests/SockeyeShortage.
#
# LIMIT is the number of calls of each case that fail (default 200). A case with more calls fails at evenly spaced ones.
# ONLY selects the cases whose name contains it. Exits with 1 if a descriptor was closed twice, a resource leaked, or an
# object could not be created even after the failures had ended.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/sanitized-build.sh

asan_build --product SockeyeShortage
exec "$asan_folder"/release/SockeyeShortage
