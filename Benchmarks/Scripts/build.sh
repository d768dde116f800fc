#!/usr/bin/env bash
# Builds the benchmark's Swift clients as a server is best deployed: Swift's own libraries are linked statically, and
# the rest is optimized at link time, as the clients in Rust are with `lto = "fat"`. Further arguments are those of
# `swift build`: build.sh --product client-sockeye
set -euo pipefail
cd "$(dirname "$0")/../.."
export SWIFT_DETERMINISTIC_HASHING=1

# Optimizing async-http-client and NIO as a whole takes over 11 GB of memory. Smaller machines use thin LTO, module by
# module, with which client-sockeye is nearly as fast.
mode=full
gigabytes=$(($(getconf _PHYS_PAGES) * $(getconf PAGE_SIZE) / 1000000000))
if [ "$gigabytes" -lt 16 ]; then
    mode=thin
    echo "build: of $gigabytes GB of memory 16 are wanted, so modules are optimized one by one (thin LTO)" >&2
fi
exec "${SWIFT:-swift}" build --package-path Benchmarks --configuration release \
    --static-swift-stdlib --experimental-lto-mode="$mode" -Xswiftc -use-ld=lld "$@"
