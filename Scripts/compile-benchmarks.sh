#!/usr/bin/env bash
# Compiles the benchmarks and the single steps of Benchmarks/Micro, in the build folder of the library's own tests and
# with the traits of that build. Runs nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/install-deps.sh bench
export SOCKEYE_SHARED_BUILD=1 SWIFT_DETERMINISTIC_HASHING=1 BENCHMARK_DISABLE_JEMALLOC=1
for package in Benchmarks Benchmarks/Micro; do
    "${SWIFT:-swift}" build --package-path "$package" --scratch-path .build
done
