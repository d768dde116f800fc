#!/usr/bin/env bash
# Creates every owner of a C object or descriptor under AddressSanitizer, while each allocation and each open fails in
# turn: Tests/SockeyeShortage.
#
# LIMIT is the number of calls of each case that fail (default 200). A case with more calls fails at evenly spaced ones.
# ONLY selects the cases whose name contains it. Exits with 1 if a descriptor was closed twice, a resource leaked, or a
# failure was permanent.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/sanitized-build.sh

asan_build --product SockeyeShortage
exec .build-asan/release/SockeyeShortage
