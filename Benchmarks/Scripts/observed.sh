#!/usr/bin/env bash
# Measures the cost of logs, metrics and spans: a small GET over 64 connections to nginx, in turns, as a ratio to the
# same program without them. The variant `sampled` has all three and records one of 100 traces, `observed` records
# every trace; logs are at level info. async-http-client is measured in the same turns, with its own spans by the same
# tracer; it has no metrics, and its logs at level info have no line for such a call.
#
# `of plain` is a ratio of rates, which other load on the machine distorts; `CPU of plain` is a ratio of CPU times of
# requests.
#
# usage: observed.sh [rounds, default 7] [seconds of a turn, default 1]
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-7}
seconds=${2:-1}
Scripts/build.sh --product client-observed >&2
client=.build/release/client-observed
peer=.build/release/client-ahc
variants=(plain logs metrics spans sampled observed)
# Its first build takes some ten minutes, and over 11 GB of memory.
if Scripts/build.sh --product client-ahc >&2; then
    variants+=(ahc-plain ahc-spans ahc-sampled)
else
    echo "observed: async-http-client is omitted: it could not be built" >&2
fi
folder=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
mkdir -p "$folder/files"
printf 'Hello, world!' >"$folder/files/small"
cat >"$folder/nginx.conf" <<EOF
daemon off; master_process off; pid $folder/pid; error_log $folder/error.log;
events { worker_connections 1024; }
http {
    client_body_temp_path $folder/t; proxy_temp_path $folder/t; fastcgi_temp_path $folder/t; uwsgi_temp_path $folder/t;
    scgi_temp_path $folder/t; access_log off; open_file_cache max=8; keepalive_requests 1000000000; root $folder/files;
    server { listen 127.0.0.1:$port backlog=1024; }
}
EOF
nginx=$(command -v nginx || echo /usr/sbin/nginx)
taskset -c 1 "$nginx" -p "$folder" -c "$folder/nginx.conf" -e "$folder/error.log" &
server=$!
for _ in $(seq 100); do (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep 0.05; done

for _ in $(seq "$rounds"); do
    for variant in "${variants[@]}"; do
        program=$client
        [ "$variant" = "${variant#ahc-}" ] || program=$peer
        taskset -c 0 "$program" --url "http://127.0.0.1:$port/small" --get 13 --connections 64 --tasks 64 \
            --seconds "$seconds" --warmup 0.3 --variant "${variant#ahc-}" | sed "s/^/$variant /" >>"$folder/samples"
    done
done
python3 - "$folder/samples" <<'EOF'
import json, statistics, sys

rates, cpu = {}, {}
for line in open(sys.argv[1]):
    variant, _, text = line.partition(" ")
    sample = json.loads(text)
    assert not sample["errors"], sample["firstError"]
    rates.setdefault(variant, []).append(sample["requests"] / sample["seconds"])
    cpu.setdefault(variant, []).append(1e6 * (sample["user"] + sample["system"]) / sample["requests"])
print("variant      requests/s  CPU us/request  of plain  CPU of plain")
for variant, values in rates.items():
    plain = "ahc-plain" if variant.startswith("ahc-") else "plain"
    ratio = statistics.median(value / base for value, base in zip(values, rates[plain]))
    work = statistics.median(base / value for value, base in zip(cpu[variant], cpu[plain]))
    rate, time = statistics.median(values), statistics.median(cpu[variant])
    print(f"{variant:12} {rate:10.0f}  {time:14.2f}  {ratio:8.2f}  {work:12.2f}")
EOF
