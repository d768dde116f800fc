#!/usr/bin/env bash
# Builds the clients of the benchmark that are not written in Swift into Benchmarks/.build/peers: hyper and reqwest from
# the crates that Debian packages as sources, and Go's net/http. Nothing is downloaded. If a client cannot be built, the
# script says so, and `make bench` omits it.
#
# CARGO, RUSTC and GO name compilers to use instead of the distribution's.
set -uo pipefail
cd "$(dirname "$0")/.."
peers=$PWD/.build/peers
crates=/usr/share/cargo/registry

say() { printf 'build-peers: %s\n' "$*" >&2; }
# Prints the path of the distribution's program $1, else of the one in PATH; nothing if there is no such program.
program() { if [ -x "/usr/bin/$1" ]; then echo "/usr/bin/$1"; else command -v "$1"; fi; }

# Prints the version of crate $1 that was linked.
crate() { awk -v name="\"$1\"" '$1 == "name" && $3 == name { getline; gsub("\"", "", $3); print $3 }' Peers/rust/Cargo.lock; }

build_rust() {
    local cargo=${CARGO:-$(program cargo)} rustc=${RUSTC:-$(program rustc)}
    if [ -z "$cargo" ] || [ -z "$rustc" ]; then
        say "hyper and reqwest are omitted: Rust is not installed (apt-get install cargo rustc)"
        return 1
    fi
    if ! ls -d "$crates"/hyper-0.14* "$crates"/reqwest-0.11* >/dev/null 2>&1; then
        say "hyper and reqwest are omitted: their crates are missing (apt-get install librust-hyper-dev librust-reqwest-dev librust-tokio-dev)"
        return 1
    fi
    # The resolved versions depend on the distribution's packages, so the lock file is not kept.
    trap 'rm -f Peers/rust/Cargo.lock' RETURN
    if ! CARGO_HOME="$peers/cargo" RUSTC="$rustc" "$cargo" build --quiet --offline --release \
        --manifest-path Peers/rust/Cargo.toml --target-dir "$peers/rust" \
        --config 'source.crates-io.replace-with="distribution"' --config "source.distribution.directory=\"$crates\"" >&2; then
        say "hyper and reqwest are omitted: they do not build with the installed compilers and crates"
        return 1
    fi
    cp -p "$peers/rust/release/client-hyper" "$peers/rust/release/client-reqwest" "$peers"
    local with
    with="tokio $(crate tokio), openssl $(crate openssl), $("$rustc" --version | cut -d' ' -f1-2), one code generation unit, LTO"
    {
        echo "hyper: $(crate hyper), $with"
        echo "reqwest: $(crate reqwest)"
    } >>"$peers/versions"
}

build_go() {
    local go=${GO:-$(program go)}
    if [ -z "$go" ]; then
        say "Go is omitted: its compiler is not installed (apt-get install golang-go)"
        return 1
    fi
    if ! (cd Peers/go && CGO_ENABLED=0 GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local GOCACHE="$peers/go-cache" \
        "$go" build -o "$peers/client-go" .) >&2; then
        say "Go is omitted: its client does not build with the installed compiler"
        return 1
    fi
    echo "Go: $("$go" env GOVERSION)" >>"$peers/versions"
}

mkdir -p "$peers"
rm -f "$peers/versions"
build_rust || rm -f "$peers/client-hyper" "$peers/client-reqwest"
build_go || rm -f "$peers/client-go"
