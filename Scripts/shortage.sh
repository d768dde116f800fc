#!/usr/bin/env bash
# Makes every owner of a C object or descriptor under AddressSanitizer, with each allocation and each open failing in turn:
# Tests/SockeyeShortage.
#
# LIMIT is the number of calls of each case that fail (default 200; of more, calls at equal distances), ONLY selects the cases
# whose name contains it. Ends with 1 if a descriptor was closed twice, or anything leaked or failed for good.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/sanitized-build.sh

asan_build --product SockeyeShortage
exec .build-asan/release/SockeyeShortage
