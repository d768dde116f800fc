#!/usr/bin/env bash
# Compares downloads of 1 GiB of text coded by gzip, br and zstd with libcurl and other clients that decode them. Builds
# a client of Sockeye with the traits Brotli and Zstandard in a separate folder, and runs the scenarios coded-1g-*.
# Further arguments are those of `make bench`: codings.sh --rounds 4
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/install-deps.sh bench
Scripts/install-deps.sh peers
Scripts/install-deps.sh codings
Benchmarks/Scripts/build.sh
Benchmarks/Scripts/build-peers.sh
SOCKEYE_BENCH_CODINGS=1 Benchmarks/Scripts/build.sh --scratch-path Benchmarks/.build-codings --product client-sockeye
cp -p Benchmarks/.build-codings/release/client-sockeye Benchmarks/.build/peers/client-sockeye
trap 'rm -f Benchmarks/.build/peers/client-sockeye' EXIT
Benchmarks/.build/release/sockeye-bench --scenario coded-1g --output Benchmarks/.build/codings "$@"
