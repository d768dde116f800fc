#!/usr/bin/env bash
# Shows the packages that six typical users of the package resolve. Then repeats an unchanged `swift build` RUNS times
# (default 10) and shows how many modules each of them compiles: check-users.sh [names of users]
#
# Users with several traits build with SWIFT_DETERMINISTIC_HASHING=1, as the article Traits advises; PLAIN=1 omits it.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
swift="${SWIFT:-swift}"
runs="${RUNS:-10}"
export SWIFT_DETERMINISTIC_HASHING=1

declare -A traits=(
    [plain]=''
    [tool]='"Observability"'
    [server]='"Service"'
    [gateway]='"Service", "AsyncDNS"'
    [crawler]='"Brotli", "Zstandard", "DiskCache"'
    [gallery]='"Images"'
)
declare -A products=(
    [plain]='Sockeye'
    [tool]='Sockeye SockeyeObservability'
    [server]='Sockeye SockeyeObservability SockeyeService'
    [gateway]='Sockeye SockeyeDNS SockeyeObservability SockeyeService'
    [crawler]='Sockeye SockeyeTransfers SockeyeStreams SockeyeDiskCache'
    [gallery]='SockeyeImages'
)

# manifest USER: prints the manifest of a package with the user's products and traits.
manifest() {
    printf '// swift-tools-version: 6.2\nimport PackageDescription\n\nlet package = Package(\n    name: "user",\n'
    printf '    dependencies: [.package(name: "sockeye", path: "%s", traits: [%s])],\n' "$root" "${traits[$1]}"
    printf '    targets: [.executableTarget(name: "user", dependencies: [\n'
    for product in ${products[$1]}; do printf '        .product(name: "%s", package: "sockeye"),\n' "$product"; done
    printf '    ])])\n'
}

for user in ${*:-plain tool server gateway crawler gallery}; do
    folder="$root/.build-users/$user"
    mkdir -p "$folder/Sources/user"
    manifest "$user" >"$folder/Package.swift"
    for product in ${products[$user]}; do echo "import $product"; done >"$folder/Sources/user/main.swift"
    echo 'print(HTTPClient.shared)' >>"$folder/Sources/user/main.swift"
    printf '%s, traits [%s]: resolves %s\n' "$user" "${traits[$user]}" \
        "$("$swift" package --package-path "$folder" show-dependencies --format flatlist 2>/dev/null | sort -u | tr '\n' ' ')"
    "$swift" build --package-path "$folder" >/dev/null
    compiled=()
    for _ in $(seq "$runs"); do
        if [ -n "${PLAIN:-}" ] || [[ "${traits[$user]}" != *,* ]]; then
            output=$(env -u SWIFT_DETERMINISTIC_HASHING "$swift" build --package-path "$folder")
        else
            output=$("$swift" build --package-path "$folder")
        fi
        compiled+=("$(grep -cE '\] Compiling ' <<<"$output" || true)")
    done
    printf '%s, unchanged builds compile: %s\n' "$user" "${compiled[*]}"
done
