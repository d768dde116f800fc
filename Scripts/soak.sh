#!/usr/bin/env bash
# Runs the client against servers with over 140 behaviours, correct, faulty and hostile ones: Tests/SockeyeSoak.
#
# COUNT is the number of exchanges (default 20000). SEED selects them (default: random; it is printed). CONCURRENCY is
# the number of simultaneous exchanges (default 128). SANITIZE=address or thread builds with that sanitizer, and
# SOCKEYE_SYSTEM=kqueue-model or minimal with that backend of the platform (see Package.swift). Prints a table of the
# behaviours and outcomes at the end. Exits with 1 if a byte was wrong, an exchange outlasted its deadline
# or a resource leaked.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/sanitized-build.sh

product=(--product SockeyeSoak)
case "${SANITIZE:-}" in
address)
    scratch=$asan_folder
    asan_build "${product[@]}"
    export SLACK="${SLACK:-5}"
    ;;
thread)
    # ThreadSanitizer does not see the standard library's Mutex, which waits in the kernel. TracedMutex replaces it.
    # Files that use it do not import the module that declares its members, so MemberImportVisibility is off.
    scratch=.build-tsan
    build "$scratch" --sanitize=thread -Xswiftc -DSOCKEYE_TSAN \
        -Xswiftc -disable-upcoming-feature -Xswiftc MemberImportVisibility "${product[@]}"
    export SLACK="${SLACK:-20}" TSAN_OPTIONS="${TSAN_OPTIONS:-suppressions=Scripts/tsan-suppressions.txt:halt_on_error=0}"
    ;;
"")
    scratch=.build-soak${SOCKEYE_SYSTEM:+-$SOCKEYE_SYSTEM}
    build "$scratch" "${product[@]}"
    ;;
*)
    echo "soak: SANITIZE must be address, thread or empty, not $SANITIZE" >&2
    exit 2
    ;;
esac
exec "$scratch/release/SockeyeSoak"
