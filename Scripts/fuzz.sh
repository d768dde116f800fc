#!/usr/bin/env bash
# Runs the fuzz targets of Tests/SockeyeFuzz under AddressSanitizer: fuzz.sh [TARGET…]
#
# TIME is the number of seconds for each target (default 60; 0 runs only the seeds). JOBS is the number of targets that
# run at once (default: one more than there are processors, because some targets mostly wait). With RUNS=n each target
# gets n inputs instead, and slow targets the part of n that the program lists. The inputs are the same each time and
# include none from earlier runs, so that a check of an unchanged library passes again. Without RUNS, interesting inputs
# are kept in .build-asan/fuzz/corpus for the next run. An input that fails is written to .build-asan/fuzz/failures, and
# `make fuzz TARGET=name INPUT=file` repeats it. Tests/SockeyeFuzz/dictionary.txt has extreme numbers and the field
# names that the library reads. Prints a line per target, and exits with 1 if any has failed.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/sanitized-build.sh

library=$(find "$(dirname "$(readlink -f "$(command -v "$swift")")")/../lib/clang" \
    -name "libclang_rt.fuzzer_no_main-$(uname -m).a" -print -quit 2>/dev/null || true)
if [ -z "$library" ]; then
    echo "fuzz: this toolchain has no libFuzzer for $(uname -m)" >&2
    exit 1
fi
export SOCKEYE_FUZZ=$library
asan_build --product SockeyeFuzz
program=$asan_folder/release/SockeyeFuzz
work=$asan_folder/fuzz

time=${TIME:-60}
jobs=${JOBS:-$(($(nproc) + 1))}
mapfile -t targets < <("$program" | cut -d' ' -f1)
if [ "$#" -gt 0 ]; then targets=("$@"); fi

# A parser takes less than a second for any input of 4 KiB. Targets with a whole client check that its calls end by
# their deadlines.
options=(-timeout=15 -dict=Tests/SockeyeFuzz/dictionary.txt -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1 -verbosity=1)

if [ -n "${INPUT:-}" ]; then
    if [ "${#targets[@]}" != 1 ]; then echo "fuzz: INPUT needs exactly one TARGET" >&2 && exit 2; fi
    SOCKEYE_FUZZ_TARGET=${targets[0]} exec "$program" "${options[@]}" "$INPUT"
fi

fuzz() {
    local target=$1 log="$work/$1.log" seeds="Tests/SockeyeFuzz/Corpora/$1" limit=(-max_total_time="$time")
    mkdir -p "$work/corpus/$target" "$work/failures"
    [ "$time" != 0 ] || limit=(-runs=0)
    local folders=("$work/corpus/$target")
    if [ -n "${RUNS:-}" ]; then
        local share
        share=$("$program" | sed -nE "s/^$target ([0-9]+)$/\1/p")
        limit=(-runs="$((RUNS / ${share:-1}))" -seed=1 -max_total_time=120)
        folders=("$work/fresh/$target")
        rm -rf "${folders[0]}"
        mkdir -p "${folders[0]}"
    fi
    [ ! -d "$seeds" ] || folders+=("$seeds")
    if SOCKEYE_FUZZ_TARGET=$target timeout --kill-after=10 "$((time + 120))" "$program" "${options[@]}" "${limit[@]}" \
        -artifact_prefix="$work/failures/$target-" "${folders[@]}" >"$log" 2>&1 </dev/null; then
        summary "$target" ok
    else
        summary "$target" FAILED
        grep -aE 'Fatal error|ERROR:|SUMMARY:|Test unit written' "$log" | head -n 6 | cut -c1-500 | sed 's/^/    /' || true
        return 1
    fi
}

summary() {
    local log="$work/$1.log"
    local runs coverage
    runs=$(sed -nE 's/^stat::number_of_executed_units: *([0-9]+).*/\1/p' "$log" | tail -n 1)
    coverage=$(grep -aoE 'cov: [0-9]+' "$log" | tail -n 1 || true)
    printf '%-14s %-6s %10s runs  %s\n' "$1" "$2" "${runs:-?}" "$coverage"
}

failed=0
running=0
for target in "${targets[@]}"; do
    fuzz "$target" &
    running=$((running + 1))
    if [ "$running" -ge "$jobs" ]; then
        wait -n || failed=1
        running=$((running - 1))
    fi
done
while [ "$running" -gt 0 ]; do
    wait -n || failed=1
    running=$((running - 1))
done
[ "$failed" = 0 ] || echo "fuzz: the inputs that failed are in $work/failures" >&2
# As many inputs as in .ci/run, for all targets.
if [ "$failed$#" = 00 ] && [ "$time" -ge 60 ] && [ "${RUNS:-4000}" -ge 4000 ] && [ "$sanitized_traits" = All ]; then
    Scripts/sanitized-traits.py record
fi
exit "$failed"
