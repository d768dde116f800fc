#!/usr/bin/env bash
# Prints the time of clean builds of the library: build-time.sh [release|debug]...
#
# Prints seconds of processor time, user and system, because wall time depends on the machine and on its other load.
# Builds the target `Sockeye` and its dependencies, as a dependent package does; `--product Sockeye` would build every
# target of the package, because the package manager cannot build a library product of automatic type separately. With
# STATS=1 a table of the modules follows: total seconds, and seconds of SIL's optimizer, of LLVM and of the type
# checker. All files go to a temporary folder.
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
    # The keyword `time` of bash, which needs no package.
    TIMEFORMAT="$configuration: %U s user, %S s system, %R s on the clock"
    time "${build[@]}" >"$folder/$configuration.log" 2>&1 || { cat "$folder/$configuration.log" >&2 && exit 1; }
    [ -z "${STATS:-}" ] || python3 Scripts/build-time.py "$folder/stats-$configuration"
done
