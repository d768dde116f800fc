#!/usr/bin/env bash
# Builds and tests a clone of HEAD in a new Debian root that has the Swift toolchain, libssl-dev, zlib1g-dev and
# pkg-config, but no C library of the package's traits: clean-root.sh [arguments of `swift test`]
#
# Must run as root. The Debian root and the clone are in .build-root, which is removed at the end; KEEP=1 keeps it.
# Packages are resolved outside of the Debian root, so that it needs no network and no settings of git.
set -euo pipefail
cd "$(dirname "$0")/.."
folder="$PWD/.build-root"
root="$folder/debian"
clone="$folder/sockeye"
swift="${SWIFT:-swift}"
toolchain=$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v "$swift")")")")")

# The Debian release of this machine: the toolchain is known to run on it.
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")
case "$suite" in
    bookworm) versioned=libcurl4,libstdc++-12-dev ;;
    *) versioned=libcurl4t64,libstdc++-14-dev ;;
esac
# The packages that the toolchain itself needs to compile, link and run.
tools=binutils,ca-certificates,git,gcc,libc6-dev,libedit2,libncurses6,libsqlite3-0,libxml2,libz3-4,tzdata,$versioned
required=libssl-dev,zlib1g-dev,pkg-config
# Removes the folder, and nothing that is mounted in it: a bind mount is on the same file system, where rm would go
# through it.
remove() {
    if grep -qF " $folder/" /proc/self/mountinfo; then
        echo "clean-root.sh: $folder is not removed, because something is mounted below it" >&2
        return 1
    fi
    rm -rf --one-file-system "$1"
}

# Runs in a separate mount namespace. When it ends, everything is unmounted, before the folder is removed.
in_namespace() {
    for path in "$toolchain" "$clone"; do
        mkdir -p "$root$path"
        mount --bind "$path" "$root$path"
    done
    mount -o remount,bind,ro "$root$toolchain"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    inside bash -c '! ls -d /usr/include/{libxml2,png.h,jpeglib.h,webp,gif_lib.h,brotli,zstd.h,isa-l,ares.h,sqlite3.h} 2>/dev/null' ||
        { echo 'clean-root.sh: the Debian root contains a header of a library that only traits need' >&2; exit 1; }
    inside swift build --disable-automatic-resolution
    # One test at a time, as in run-tests.sh. Started and passed tests are the rule; the log shows the others and the
    # summary.
    inside env SWT_SWIFT_ERROR_BACKTRACING_ENABLED=0 swift test --disable-automatic-resolution --no-parallel "$@" >"$folder/tests.log" 2>&1 ||
        { grep -aE '^✘' "$folder/tests.log" | cut -c 1-300; exit 1; }
    grep -aE '^✔ Test run' "$folder/tests.log"
}

inside() {
    env -i PATH="$toolchain/usr/bin:/usr/bin:/bin:/usr/sbin:/sbin" HOME=/root LANG=C.UTF-8 \
        chroot "$root" bash -c 'cd "$1" && shift && "$@"' bash "$clone" "$@"
}

if [ -n "${SOCKEYE_IN_NAMESPACE:-}" ]; then
    in_namespace "$@"
    exit
fi
if [ "$(id -u)" -ne 0 ]; then
    echo 'clean-root.sh: must run as root, for debootstrap and chroot' >&2
    exit 1
fi
if ! unshare --mount true 2>/dev/null; then
    echo 'clean-root.sh: NOT CHECKED, because this machine allows no mount namespace' >&2
    exit 0
fi
Scripts/install-deps.sh root
mkdir -p "$folder"
remove "$clone"
if [ ! -f "$root/ready" ]; then
    remove "$root"
    debootstrap --variant=minbase --include="$tools,$required" "$suite" "$root" ${MIRROR:+"$MIRROR"} >"$folder/debootstrap.log" 2>&1 ||
        { tail -n 20 "$folder/debootstrap.log" >&2; exit 1; }
    touch "$root/ready"
fi
# As Debian's installer writes it.
grep -qs localhost "$root/etc/hosts" || printf '127.0.0.1 localhost\n' >>"$root/etc/hosts"
git clone --quiet . "$clone"
"$swift" package --package-path "$clone" resolve >/dev/null
echo "Debian $(cat "$root/etc/debian_version") with: ${required//,/ }"
result=0
SOCKEYE_IN_NAMESPACE=1 unshare --mount --propagation private "$0" "$@" || result=$?
[ -n "${KEEP:-}" ] || remove "$folder"
exit "$result"
