#!/usr/bin/env bash
# Compares small GETs through proxies with libcurl, async-http-client and others: in absolute-form, by CONNECT, by TLS
# in TLS, by SOCKS 5. Runs the scenarios proxy-*. Further arguments are those of `make bench`: proxies.sh --rounds 4
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/install-deps.sh bench
Scripts/install-deps.sh peers
Benchmarks/Scripts/build.sh
Benchmarks/Scripts/build-peers.sh
Benchmarks/.build/release/sockeye-bench --scenario proxy- --output Benchmarks/.build/proxies "$@"
