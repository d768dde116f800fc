#!/usr/bin/env bash
# Prints what clean builds of the library cost: build-time.sh [release|debug]...
#
# Seconds of processor time, user and system: of several machines or with neighbours, wall time says little. It builds what a
# dependent builds, the target `Sockeye` with what is below it; `--product Sockeye` would build every target of the package, since a library
# without a type of linking is no product that can be built by itself. With STATS=1 a table of the modules follows: seconds in
# all, of SIL's optimizer, of LLVM and of the type checker. Everything goes to a folder outside of the repository.
set -euo pipefail
cd "$(dirname "$0")/.."

export SWIFT_DETERMINISTIC_HASHING=1
folder="$(mktemp -d "${TMPDIR:-/tmp}/sockeye-build-time.XXXXXX")"
trap 'rm -rf "$folder"' EXIT

[ "$#" -gt 0 ] || set -- release debug
for configuration in "$@"; do
    build=(swift build --configuration "$configuration" --target Sockeye --scratch-path "$folder/$configuration")
    if [ -n "${STATS:-}" ]; then
        mkdir -p "$folder/stats-$configuration"
        build+=(-Xswiftc -stats-output-dir -Xswiftc "$folder/stats-$configuration")
    fi
    swift package --scratch-path "$folder/$configuration" resolve >/dev/null 2>&1
    # bash's own, so that nothing has to be installed.
    TIMEFORMAT="$configuration: %U s user, %S s system, %R s on the clock"
    time "${build[@]}" >"$folder/$configuration.log" 2>&1 || { cat "$folder/$configuration.log" >&2 && exit 1; }
    [ -z "${STATS:-}" ] || python3 Scripts/build-time.py "$folder/stats-$configuration"
done
