#!/usr/bin/env bash
# Compares io_uring with epoll, recv and send by the clients in Benchmarks/Frontier: requests and transfers in turns,
# each client on one core and the server on another. Prints Markdown tables.
#
# usage: frontier.sh [rounds, default 9] [seconds of a turn, default 0.3] [scenarios, default all: calls get-c1 get-c16
# get-c64 get-c256 quick-c64 quick-c256 threads-c1 threads-c64 download download-copied upload]
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-9}
seconds=${2:-0.3}
shift $(($# < 2 ? $# : 2))
scenarios=("$@")
[ $# -gt 0 ] || scenarios=(calls get-c1 get-c16 get-c64 get-c256 quick-c64 quick-c256 threads-c1 threads-c64 download
    download-copied upload)
core=0 server_core=1

skip() { echo "SKIPPED: bench-frontier: $*" >&2; exit 0; }
compiler=$(command -v cc || command -v clang || command -v gcc) || skip 'no C compiler'
nginx=$(command -v nginx || echo /usr/sbin/nginx)
[ -x "$nginx" ] || skip 'no nginx (Scripts/install-deps.sh bench)'
[ -e /usr/include/linux/io_uring.h ] || skip 'no linux/io_uring.h (linux-libc-dev)'
[ "$(nproc)" -ge 2 ] || skip 'one core only'

# Runs in its own network namespace, as `make bench` does, so that no pacing by BBR is measured; only root may have one.
if [ -z "${FRONTIER_NETWORK:-}" ]; then
    if unshare --net true 2>/dev/null; then
        FRONTIER_NETWORK=own exec unshare --net Scripts/frontier.sh "$rounds" "$seconds" "${scenarios[@]}"
    fi
    FRONTIER_NETWORK=shared
fi
control=/proc/sys/net/ipv4/tcp_congestion_control
if [ "$FRONTIER_NETWORK" = own ]; then
    ip link set lo up
    # If the machine does not allow CUBIC in the namespace, Reno is used, which is the same without packet loss.
    { echo cubic >$control; } 2>/dev/null || { echo reno >$control; } 2>/dev/null || true
fi

folder=$(mktemp -d)
servers=()
finish() {
    for server in "${servers[@]}"; do kill "$server" 2>/dev/null || true; done
    rm -rf "$folder"
}
trap finish EXIT
client=$folder/frontier
"$compiler" -std=gnu11 -O2 -Wall -Wextra -Werror -pthread -o "$client" Frontier/*.c
"$client" probe || skip 'no ring on this machine (see above)'

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
port=$(free_port)
sendfile_port=$(free_port)
mkdir -p "$folder/files"
printf 'Hello, world!' >"$folder/files/small"
truncate -s 1G "$folder/files/large"
cat >"$folder/nginx.conf" <<CONF
daemon off; master_process off; pid $folder/pid; error_log $folder/error.log;
events { worker_connections 2048; }
http {
    client_body_temp_path $folder/t; proxy_temp_path $folder/t; fastcgi_temp_path $folder/t; uwsgi_temp_path $folder/t;
    scgi_temp_path $folder/t; access_log off; open_file_cache max=8; keepalive_requests 1000000000; root $folder/files;
    server { listen 127.0.0.1:$port backlog=2048; output_buffers 2 256k; }
    server { listen 127.0.0.1:$sendfile_port backlog=2048; sendfile on; }
}
CONF
taskset -c "$server_core" "$nginx" -p "$folder" -c "$folder/nginx.conf" -e "$folder/error.log" &
nginx_number=$!
servers+=("$nginx_number")
for _ in $(seq 100); do (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep 0.05; done

# The servers end with the script, because only the script holds the other end of their standard input.
mkfifo "$folder/input"
exec 4<>"$folder/input"
taskset -c "$server_core" "$client" sink <"$folder/input" >"$folder/sink" 4>&- &
sink_number=$!
taskset -c "$server_core" "$client" quick <"$folder/input" >"$folder/quick" 4>&- &
quick_number=$!
servers+=("$sink_number" "$quick_number")
for _ in $(seq 100); do [ -s "$folder/sink" ] && [ -s "$folder/quick" ] && break; sleep 0.05; done
sink_port=$(cat "$folder/sink")
quick_port=$(cat "$folder/quick")

# turns SCENARIO SERVER JOB PORT CONNECTIONS FLAVOUR…: runs the turns of a scenario; each round begins with another
# flavour.
turns() {
    local scenario=$1 job=$3 to=$4 connections=$5
    export FRONTIER_SERVER=$2 FRONTIER_CORES="$core $server_core"
    shift 5
    local flavours=("$@")
    for round in $(seq 0 $((rounds - 1))); do
        for step in "${!flavours[@]}"; do
            local flavour=${flavours[(round + step) % ${#flavours[@]}]}
            printf '%s %s ' "$scenario" "$flavour" >>"$folder/samples"
            taskset -c "$core" timeout 30 "$client" "$job" "$flavour" "$to" "$connections" "$seconds" \
                >>"$folder/samples" 2>>"$folder/said" || { cat "$folder/said" >&2; exit 1; }
        done
    done
}

gets=(epoll-look epoll epoll-spin readiness-look ring ring-linked ring-deferred ring-multishot ring-sqpoll)
downloads=(epoll epoll-mark ring ring-mark ring-multishot ring-bundle ring-bundle-mark)
for scenario in "${scenarios[@]}"; do
    echo "$scenario" >&2
    case $scenario in
    calls) taskset -c "$core" "$client" calls - "$port" >"$folder/calls" ;;
    get-c*) turns "$scenario" "$nginx_number" get "$port" "${scenario#get-c}" "${gets[@]}" ;;
    quick-c*) turns "$scenario" "$quick_number" get "$quick_port" "${scenario#quick-c}" "${gets[@]}" ;;
    threads-c*) turns "$scenario" "$nginx_number" threads "$port" "${scenario#threads-c}" epoll-look epoll ring-multishot ;;
    download) turns "$scenario" "$nginx_number" download "$sendfile_port" 1 "${downloads[@]}" ;;
    download-copied) turns "$scenario" "$nginx_number" download "$port" 1 "${downloads[@]}" ;;
    upload) turns "$scenario" "$sink_number" upload "$sink_port" 1 epoll ring ring-linked ring-zc ;;
    *) echo "frontier.sh: unknown scenario $scenario" >&2; exit 2 ;;
    esac
done
echo "Linux $(uname -r), $rounds rounds, turns of $seconds s, congestion control $(cat $control), $(nproc) cores." \
    "spec_rstack_overflow: $(cat /sys/devices/system/cpu/vulnerabilities/spec_rstack_overflow 2>/dev/null || echo unknown);" \
    "spectre_v2: $(cut -d ';' -f 1 /sys/devices/system/cpu/vulnerabilities/spectre_v2 2>/dev/null || echo unknown)"
sort -u "$folder/said" 2>/dev/null | sed 's/^frontier: //' || true
python3 Scripts/frontier.py "$folder"
