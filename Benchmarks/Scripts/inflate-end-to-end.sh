#!/usr/bin/env bash
# Measures the gain of a faster inflate for a whole client: client-sockeye receives gzip bodies of several sizes, in
# turns with the linked zlib and with ISA-L's inflate instead (isal-inflate.c, by LD_PRELOAD), and the same bodies
# uncoded. Needs libisal-dev.
#
# usage: inflate-end-to-end.sh [rounds, default 7] [seconds of a turn, default 0.5]
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-7}
seconds=${2:-0.5}
[ -n "${SKIP_BUILD:-}" ] || Scripts/build.sh --product client-sockeye >&2
client=.build/release/client-sockeye
folder=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
gcc -O2 -shared -fPIC -o "$folder/isal.so" Scripts/isal-inflate.c -lisal

mkdir -p "$folder/files"
Scripts/inflate.py bodies "$folder/files"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >"$folder/nginx.conf" <<END
daemon off; master_process off; pid $folder/pid; error_log $folder/error.log;
events { worker_connections 1024; }
http {
    client_body_temp_path $folder/t; proxy_temp_path $folder/t; fastcgi_temp_path $folder/t; uwsgi_temp_path $folder/t;
    scgi_temp_path $folder/t; access_log off; open_file_cache max=64; sendfile on; keepalive_requests 1000000000;
    root $folder/files;
    server { listen 127.0.0.1:$port backlog=1024; location ~ \.gz$ { add_header Content-Encoding gzip; } }
}
END
nginx=$(command -v nginx || echo /usr/sbin/nginx)
taskset -c 0 "$nginx" -p "$folder" -c "$folder/nginx.conf" -e "$folder/error.log" &
server=$!
for _ in $(seq 100); do (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep 0.05; done

for _ in $(seq "$rounds"); do
    for file in "$folder"/files/*.gz; do
        name=$(basename "$file" .gz)
        size=$(stat -c %s "$folder/files/$name")
        for way in uncoded zlib ISA-L; do
            path=$name.gz preload=
            if [ "$way" = uncoded ]; then path=$name; fi
            if [ "$way" = ISA-L ]; then preload=$folder/isal.so; fi
            LD_PRELOAD=$preload taskset -c 1 "$client" --url "http://127.0.0.1:$port/$path" --get "$size" --connections 16 \
                --seconds "$seconds" --warmup 0.1 | sed "s/^/$name $way /" >>"$folder/samples"
        done
    done
done
python3 - "$folder/samples" <<'END'
import json, statistics, sys

cpu = {}
for line in open(sys.argv[1]):
    name, way, text = line.split(" ", 2)
    sample = json.loads(text)
    assert not sample["errors"], sample["firstError"]
    used = 1e6 * (sample["user"] + sample["system"]) / sample["requests"]
    cpu.setdefault(name, {}).setdefault(way, []).append(used)
print("| body | uncoded, CPU µs/request | zlib | ISA-L | zlib / ISA-L |\n| --- | ---: | ---: | ---: | ---: |")
for name, ways in cpu.items():
    ratio = statistics.median(zlib / isal for zlib, isal in zip(ways["zlib"], ways["ISA-L"]))
    medians = " | ".join(f"{statistics.median(ways[way]):,.1f}" for way in ("uncoded", "zlib", "ISA-L"))
    print(f"| {name} | {medians} | {ratio:.2f} |")
END
