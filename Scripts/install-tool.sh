#!/usr/bin/env bash
# Builds the command `sockeye` and installs it with its manual page and completions: install-tool.sh PREFIX
#
# PREFIX is a folder such as /usr/local or ~/.local; if DESTDIR is set, it is put before PREFIX, for packages. The Swift
# runtime is linked statically, so that the command still works after the toolchain was replaced. CONFIGURATION=debug
# and SKIP_BUILD=FOLDER are for the tests of this script; SKIP_BUILD names a folder with a built command.
set -euo pipefail
cd "$(dirname "$0")/.."
swift="${SWIFT:-swift}"
prefix="${DESTDIR:-}${1:?install-tool.sh PREFIX}"
configuration="${CONFIGURATION:-release}"

options=(--package-path Examples --configuration "$configuration" --product sockeye)
[ "$configuration" = debug ] || options+=(--static-swift-stdlib)
[ -n "${SKIP_BUILD:-}" ] || "$swift" build "${options[@]}"
binary="${SKIP_BUILD:-$("$swift" build "${options[@]}" --show-bin-path)}/sockeye"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Creates all files before it installs any, so that a command that does not run is not installed.
"$binary" generate-manual >"$work/sockeye.1"
for shell in bash zsh fish; do "$binary" --generate-completion-script "$shell" >"$work/$shell"; done

# Without symbols the file has a third of its size; that needs binutils.
strip -o "$work/sockeye" "$binary" 2>/dev/null || cp "$binary" "$work/sockeye"
install -D -m 755 "$work/sockeye" "$prefix/bin/sockeye"
install -D -m 644 "$work/sockeye.1" "$prefix/share/man/man1/sockeye.1"
install -D -m 644 "$work/bash" "$prefix/share/bash-completion/completions/sockeye"
install -D -m 644 "$work/zsh" "$prefix/share/zsh/site-functions/_sockeye"
install -D -m 644 "$work/fish" "$prefix/share/fish/vendor_completions.d/sockeye.fish"

echo "installed $prefix/bin/sockeye with its manual page and completions for bash, zsh and fish"
case ":$PATH:" in
*":$prefix/bin:"*) ;;
*) echo "$prefix/bin is not in PATH" ;;
esac
