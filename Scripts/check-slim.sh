#!/usr/bin/env bash
# Checks that a package that enables no trait needs nothing of the traits: it resolves only swift-http-types, builds the
# products of the traits without their code, and links none of their libraries. Scripts/check-users.sh shows packages
# that enable traits.
#
# The program is a target of Benchmarks/Micro, so that the release build of `make bench-check` can be used.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
swift="${SWIFT:-swift}"
folder="$root/.build-slim"
mkdir -p "$folder/Sources/user"

# A user's package, which is resolved and not built.
printf '// swift-tools-version: 6.2\nimport PackageDescription\n\nlet package = Package(\n    name: "user",
    dependencies: [.package(name: "sockeye", path: "%s")],
    targets: [.executableTarget(name: "user", dependencies: [.product(name: "Sockeye", package: "sockeye")])])\n' \
    "$root" >"$folder/Package.swift"
echo 'import Sockeye' >"$folder/Sources/user/main.swift"
found=$("$swift" package --package-path "$folder" show-dependencies --format flatlist 2>/dev/null | sort -u | tr '\n' ' ')
printf 'without traits: %s\n' "$found"
if [ "$(wc -w <<<"$found")" -ne 2 ]; then
    echo 'a package without traits resolves more than sockeye and swift-http-types' >&2
    exit 1
fi

export SWIFT_DETERMINISTIC_HASHING=1 SOCKEYE_WITHOUT_STEPS=1
slim=(--package-path "$root/Benchmarks/Micro" --configuration release --product Slim)
"$swift" build "${slim[@]}"
binary="$("$swift" build "${slim[@]}" --show-bin-path)/Slim"
if ldd "$binary" | grep -E 'cares|brotli|zstd|isal|sqlite|xml2|png|jpeg|webp|gif'; then
    echo 'a library of a trait is linked although the trait is off' >&2
    exit 1
fi
# The headers that the compiler read, as it lists them for each C file.
if find "$(dirname "$binary")" -path '*ockeye*.build/*.d' -name '*.c.d' -exec grep -lE '/include/.*(libxml|png\.h|jpeglib|webp|gif_lib|brotli|zstd\.h|isa-l|ares\.h|sqlite3\.h)' {} +; then
    echo 'a header of a library of a trait is read without it' >&2
    exit 1
fi
