#!/usr/bin/env bash
# Checks that who uses no trait pays for none: a package that depends on this one resolves nothing but swift-http-types and
# swift-collections, builds all that the traits change without them, and links no library of theirs. With SHOW=1 prints what each trait resolves.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
swift="${SWIFT:-swift}"
folder="$root/.build-slim"
mkdir -p "$folder/Sources/user"

# resolve TRAITS: the identities that a user with these traits resolves.
resolve() {
    cat >"$folder/Package.swift" <<EOF
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "user",
    dependencies: [.package(name: "sockeye", path: "$root", traits: [$1])],
    targets: [
        .executableTarget(
            name: "user",
            dependencies: [
                .product(name: "Sockeye", package: "sockeye"),
                .product(name: "SockeyeObservability", package: "sockeye"),
                .product(name: "SockeyeService", package: "sockeye"),
            ]),
    ])
EOF
    "$swift" package --package-path "$folder" show-dependencies --format flatlist 2>/dev/null | sort -u | tr '\n' ' '
}

printf 'import Sockeye\nimport SockeyeObservability\nimport SockeyeService\nprint(HTTPClient.shared)\n' \
    >"$folder/Sources/user/main.swift"
if [ -n "${SHOW:-}" ]; then
    for trait in Logging Metrics Tracing ServiceLifecycle Configuration; do
        printf '%s: %s\n' "$trait" "$(resolve "\"$trait\"")"
    done
fi
found=$(resolve "")
printf 'without traits: %s\n' "$found"
if [ "$(wc -w <<<"$found")" -ne 3 ]; then
    echo 'more than sockeye, swift-collections and swift-http-types' >&2
    exit 1
fi
"$swift" build --package-path "$folder"
binary="$("$swift" build --package-path "$folder" --show-bin-path)/user"
if ldd "$binary" | grep -E 'cares|brotli|zstd|sqlite'; then
    echo 'a library of a trait is linked without it' >&2
    exit 1
fi
