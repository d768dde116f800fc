#!/usr/bin/env bash
# Installs the system packages that a task of the Makefile lacks:
# install-deps.sh build|test|fuzz|docs|bench|count|peers|codings|charts|disk|root|platforms
#
# Installed packages are not touched. If all are installed, the script needs neither root nor a network and returns at
# once. Libraries that builds need are required. Servers that only tests need are optional: without them, tests report
# that they were skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'install-deps: %s\n' "$*" >&2; }
has() { command -v "$1" >/dev/null 2>&1 || [ -x "/usr/sbin/$1" ]; }
has_fonts() { [ -n "$(find /usr/share/fonts -name '*.ttf' -print -quit 2>/dev/null)" ]; }
has_library() { has pkg-config && pkg-config --exists "$1"; }
has_crate() { [ -n "$(find /usr/share/cargo/registry -maxdepth 1 -name "$1*" -print -quit 2>/dev/null)" ]; }
has_header() { [ -f "/usr/include/$1" ]; } # for libraries without a pkg-config file

# Prints the Debian packages that are missing for task $1, one per line.
missing_packages() {
    has pkg-config || echo pkg-config
    has_library openssl || echo libssl-dev
    has_library zlib || echo zlib1g-dev
    case "$1" in
    test | docs | disk | fuzz)
        has_library sqlite3 || echo libsqlite3-dev # for the trait DiskCache, which no other task enables
        ;;&
    test | docs | fuzz | count)
        # These tasks build all targets with all traits, those of the XML and the image product included; no other task
        # does.
        has_library libbrotlienc || echo libbrotli-dev
        has_library libzstd || echo libzstd-dev
        has_library libisal || echo libisal-dev
        has_library libcares || echo libc-ares-dev
        has_library libxml-2.0 || echo libxml2-dev
        has_library libpng || echo libpng-dev
        has_library libjpeg || echo libjpeg-dev
        has_library libwebp || echo libwebp-dev
        has_header gif_lib.h || echo libgif-dev
        ;;&
    test)
        has nginx || echo nginx
        has apache2 || echo apache2-bin # the server and its modules, without a service or a configuration
        has openssl || echo openssl
        has curl || echo curl
        has valkey-server || has redis-server || echo redis-server # for the example of a shared cache
        has_httpbin || has_venv || echo python3-venv
        # For the tests with many small servers.
        has lighttpd || echo lighttpd
        has busybox || echo busybox
        has mini_httpd || echo mini-httpd
        has webfsd || echo webfs
        has h2o || echo h2o
        has caddy || echo caddy
        has haproxy || echo haproxy
        has tinyproxy || echo tinyproxy
        has node || echo nodejs
        # For the tests of proxies.
        has squid || echo squid-openssl
        has microsocks || echo microsocks
        has danted || echo dante-server
        [ -f /usr/lib/nginx/modules/ngx_stream_module.so ] || echo libnginx-mod-stream
        ;;
    bench)
        has nginx || echo nginx
        has openssl || echo openssl
        has wrk || echo wrk
        has_library libcurl || echo libcurl4-openssl-dev
        ;;
    peers)
        # Compilers for the benchmark's clients in other languages, and the distribution's packages of their crates.
        has cargo || echo cargo
        has rustc || echo rustc
        has_crate hyper-0.14 || echo librust-hyper-dev
        has_crate reqwest-0.11 || echo librust-reqwest-dev
        has_crate tokio-1 || echo librust-tokio-dev
        has go || echo golang-go
        ;;
    count)
        has nginx || echo nginx
        has valgrind || echo valgrind
        has strace || echo strace
        ;;
    codings)
        has_library libbrotlienc || echo libbrotli-dev
        has_library libzstd || echo libzstd-dev
        has_library libisal || echo libisal-dev
        has brotli || echo brotli
        has zstd || echo zstd
        ;;
    root) has debootstrap || echo debootstrap ;; # for Scripts/clean-root.sh
    platforms)
        has_library libcares || echo libc-ares-dev
        has qemu-aarch64 || [ "$(uname -m)" = aarch64 ] || echo qemu-user # runs the checks of arm64
        has_ziglang || has_venv || echo python3-venv
        ;;
    charts)
        has rsvg-convert || echo librsvg2-bin
        has_fonts || echo fonts-dejavu-core
        ;;
    esac
}

# Runs a command as root: directly, or with sudo if it needs no password or there is a terminal to type it.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif has sudo && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
        sudo "$@"
    else
        return 1
    fi
}

# Installs packages; updates the package lists only if the packages cannot be installed otherwise.
# RUNLEVEL=1 keeps Debian from starting the servers as services of this machine: tests start their own.
install_packages() {
    has apt-get || return 1
    local apt=(env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get -qq -o Dpkg::Use-Pty=0)
    local install=("${apt[@]}" install -y --no-install-recommends "$@")
    as_root "${install[@]}" </dev/null >&2 || { as_root "${apt[@]}" update </dev/null >&2 && as_root "${install[@]}" </dev/null >&2; }
}

servers="${SOCKEYE_TEST_SERVERS:-.build/test-servers}"
has_httpbin() { [ -f "$servers/httpbin/ready" ] && cmp -s "$servers/httpbin/ready" Scripts/httpbin.txt; }
has_venv() { has python3 && python3 -c 'import ensurepip, venv' 2>/dev/null; }

# Another clone's compiler can be used, because it has the same hash.
zig="${SOCKEYE_ZIG:-.build/ziglang}"
has_ziglang() { [ -f "$zig/ready" ] && cmp -s "$zig/ready" Scripts/ziglang.txt; }

# install_wheels FOLDER LIST: installs the packages of a list into their own virtual environment. `ready` is written
# last, so that an incomplete installation is repeated.
install_wheels() {
    has_venv || return 1
    rm -rf "$1"
    python3 -m venv "$1" >&2 || return 1
    "$1/bin/pip" install --quiet --no-input --disable-pip-version-check --retries 1 --timeout 15 \
        --no-deps --only-binary :all: --require-hashes --requirement "$2" >&2 || return 1
    cp "$2" "$1/ready"
}

task="${1:-build}"
case "$task" in build | test | fuzz | docs | bench | count | peers | codings | charts | disk | root | platforms) ;; *) say "unknown task $task; one of build, test, fuzz, docs, bench, count, peers, codings, charts, disk, root, platforms" && exit 2 ;; esac

mapfile -t missing < <(missing_packages "$task")
if [ "${#missing[@]}" -gt 0 ]; then
    say "installing: ${missing[*]}"
    install_packages "${missing[@]}" || say "cannot install packages here (this needs apt-get and root or sudo)"
fi
if [ "$task" = test ] && ! has_httpbin && ! install_wheels "$servers/httpbin" Scripts/httpbin.txt; then
    say "httpbin could not be installed: tests against it will be skipped"
fi
if [ "$task" = platforms ] && ! has_ziglang && ! install_wheels "$zig" Scripts/ziglang.txt; then
    say "ziglang could not be installed with pip: nothing will be checked for other systems"
fi

required=() optional=()
mapfile -t missing < <(missing_packages "$task")
for package in "${missing[@]}"; do
    case "$task:$package" in
    peers:*) optional+=("$package") ;;
    *:pkg-config | *:lib*-dev | *:zlib1g-dev | bench:* | codings:* | charts:* | root:*) required+=("$package") ;;
    *) optional+=("$package") ;;
    esac
done
[ "${#optional[@]}" -eq 0 ] || say "without ${optional[*]} some $([ "$task" = peers ] && echo 'clients will be omitted' || echo 'tests will be skipped')"
if [ "${#required[@]}" -gt 0 ]; then
    say "still missing: ${required[*]}. Install them, on Debian or Ubuntu with:"
    say "    apt-get install --no-install-recommends ${required[*]}"
    exit 1
fi
