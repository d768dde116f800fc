#!/usr/bin/env bash
# Runs the client against servers that do everything that servers do: Tests/SockeyeSoak.
#
# COUNT is the number of exchanges (default 20000), SEED says which (default by chance, and printed), CONCURRENCY how many
# at a time (default 128). SANITIZE=address or thread builds with that sanitizer. Ends with a table of what was met and
# how it ended, and with 1 if a byte was wrong, an exchange outlasted its deadline or something was left behind.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/sanitized-build.sh

product=(--product SockeyeSoak)
case "${SANITIZE:-}" in
address)
    scratch=.build-asan
    asan_build "${product[@]}"
    export SLACK="${SLACK:-5}"
    ;;
thread)
    # The mutex of the standard library waits in the kernel, which the sanitizer does not see. TracedMutex takes its place,
    # whose members come from another module than files that lock import.
    scratch=.build-tsan
    build "$scratch" --sanitize=thread -Xswiftc -DSOCKEYE_TSAN \
        -Xswiftc -disable-upcoming-feature -Xswiftc MemberImportVisibility "${product[@]}"
    export SLACK="${SLACK:-20}" TSAN_OPTIONS="${TSAN_OPTIONS:-suppressions=Scripts/tsan-suppressions.txt:halt_on_error=0}"
    ;;
"")
    scratch=.build-soak
    build "$scratch" "${product[@]}"
    ;;
*)
    echo "soak: SANITIZE is address, thread or nothing, not $SANITIZE" >&2
    exit 2
    ;;
esac
exec "$scratch/release/SockeyeSoak"
