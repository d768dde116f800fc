#!/usr/bin/env bash
# Checks that a package without traits pays for none: it resolves nothing but swift-http-types and swift-collections, builds the
# products of the traits without them, and links no library of theirs. Scripts/check-users.sh shows users with traits.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
swift="${SWIFT:-swift}"
folder="$root/.build-slim"
mkdir -p "$folder/Sources/user"

products='Sockeye SockeyeObservability SockeyeService SockeyeXML SockeyeImages SockeyeDiskCache'
{
    printf '// swift-tools-version: 6.2\nimport PackageDescription\n\nlet package = Package(\n    name: "user",\n'
    printf '    dependencies: [.package(name: "sockeye", path: "%s")],\n' "$root"
    printf '    targets: [.executableTarget(name: "user", dependencies: [\n'
    for product in $products; do printf '        .product(name: "%s", package: "sockeye"),\n' "$product"; done
    printf '    ])])\n'
} >"$folder/Package.swift"
{
    for product in $products; do echo "import $product"; done
    echo 'print(HTTPClient.shared)'
} >"$folder/Sources/user/main.swift"

found=$("$swift" package --package-path "$folder" show-dependencies --format flatlist 2>/dev/null | sort -u | tr '\n' ' ')
printf 'without traits: %s\n' "$found"
if [ "$(wc -w <<<"$found")" -ne 3 ]; then
    echo 'more than sockeye, swift-collections and swift-http-types' >&2
    exit 1
fi
"$swift" build --package-path "$folder"
binary="$("$swift" build --package-path "$folder" --show-bin-path)/user"
if ldd "$binary" | grep -E 'cares|brotli|zstd|isal|sqlite|xml2|png|jpeg|webp|gif'; then
    echo 'a library of a trait is linked without it' >&2
    exit 1
fi
