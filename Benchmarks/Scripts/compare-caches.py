#!/usr/bin/env python3
"""Compares the client's cache with Python's hishel (over httpx): prints a table with the cost of a stored response.

    Benchmarks/Scripts/compare-caches.py

Both do the same jobs against the same nginx: hits of 13 bytes and of 1 MiB, and revalidations that are answered with
304. CPU is the user and system time of the whole client process per call, from the process's own clock; the server is
another process. Both clients make their calls one after the other and read each response completely. hishel's stores
are SQLite, in memory and in a file, and Redis, which is not measured. Needs nginx, and PyPI for hishel, which is
installed into a separate environment under .build.
"""

import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
MICRO = ROOT / "Benchmarks" / "Micro"
PACKAGES = ROOT / "Benchmarks" / "Scripts" / "packages" / "caches.txt"
JOBS = [
    ("hit", 13, "/fresh/13", 100_000, 2_000),
    ("hit", 1 << 20, "/fresh/1048576", 20_000, 300),
    ("revalidation", 13, "/stale/13", 10_000, 1_000),
]

HISHEL_CLIENT = """
import json, sqlite3, sys, time
from hishel import SqliteStorage
from hishel.httpx import CacheClient

job, size, count, url, database = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5]
storage = SqliteStorage(connection=sqlite3.connect(database, check_same_thread=False))
with CacheClient(storage=storage, rfc=True) as client:
    def run(count):
        for _ in range(count):
            response = client.get(url)
            assert len(response.content) == size
        status = response.extensions["caching"]
        assert status["from_cache"] and status["revalidated"] == (job == "revalidation"), status
    client.get(url)
    run(1 + count // 10)
    cpu, wall = time.process_time(), time.monotonic()
    run(count)
    print(json.dumps({"cpu_us": (time.process_time() - cpu) / count * 1e6, "time_us": (time.monotonic() - wall) / count * 1e6}))
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Server:
    """An nginx with the files of the jobs, which are fresh for an hour or never."""

    def __init__(self, folder):
        port = free_port()
        for size in {size for _, size, _, _, _ in JOBS}:
            (folder / str(size)).write_bytes(b"a" * size)
        folder.chmod(0o755)
        (folder / "nginx.conf").write_text(
            f"""
worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{}}
http {{
  access_log off; keepalive_requests 1000000; default_type application/octet-stream;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{
    listen 127.0.0.1:{port};
    location /fresh/ {{ alias {folder}/; add_header Cache-Control "max-age=3600"; }}
    location /stale/ {{ alias {folder}/; add_header Cache-Control "no-cache"; }}
  }}
}}
"""
        )
        self.url = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")])
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except OSError:
                time.sleep(0.02)
        raise SystemExit("compare-caches: nginx does not answer")

    def stop(self):
        self.process.terminate()
        self.process.wait()


def hishel_python():
    folder = ROOT / ".build" / "hishel"
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", PACKAGES], check=True)
    return python


def run(command):
    result = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)
    return json.loads(result.stdout.strip().splitlines()[-1])


def build():
    command = ["swift", "build", "-c", "release", "--package-path", str(MICRO), "--product", "CacheCost"]
    subprocess.run(command, check=True, stdout=sys.stderr)
    return MICRO / ".build" / "release" / "CacheCost"


def main():
    program = build()
    python = hishel_python()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        server = Server(folder)
        try:
            for job, size, path, count, slow_count in JOBS:
                url = server.url + path
                database = folder / f"{job}-{size}.db"
                rows.append((job, size, "Sockeye, memory", run([program, job, size, count, url])))
                for store, where in [("SQLite in memory", ":memory:"), ("SQLite in a file", database)]:
                    command = [python, "-c", HISHEL_CLIENT, job, size, slow_count, url, where]
                    rows.append((job, size, f"hishel, {store}", run(command)))
        finally:
            server.stop()
    print("| job | bytes | client, store | CPU per call | time per call |")
    print("| --- | ---: | --- | ---: | ---: |")
    for job, size, client, figures in rows:
        print(f"| {job} | {size} | {client} | {figures['cpu_us']:.2f} µs | {figures['time_us']:.2f} µs |")


if __name__ == "__main__":
    main()
