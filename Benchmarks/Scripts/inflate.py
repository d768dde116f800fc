#!/usr/bin/env python3
"""Compares the speed of decoding gzip bodies by the system's zlib, zlib-ng, ISA-L and libdeflate.

Prints the median of several turns for each kind and size of body; the libraries take turns. A body is decoded as a
whole in one call, and in pieces as while it arrives (16 KiB in, at most 64 KiB out), which libdeflate cannot do. The
libraries come as Python modules from PyPI into a virtual environment in .build/inflate; zlib is Python's module, which
uses the system's library.

usage: inflate.py [seconds of a turn, default 0.2] [turns, default 7]
       inflate.py bodies FOLDER    writes the bodies, plain and coded with the ending `.gz`
"""

import json
import os
import random
import statistics
import subprocess
import sys
import time
import zlib

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".build", "inflate")
PACKAGES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "packages", "inflate.txt")
KIB = 1024


def enter_environment():
    """Runs this script again with the interpreter of the virtual environment, which is made if it is missing."""
    python = os.path.join(FOLDER, "bin", "python")
    if os.path.abspath(sys.prefix) == os.path.abspath(FOLDER):
        return
    if not os.path.exists(python):
        subprocess.run([sys.executable, "-m", "venv", FOLDER], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", PACKAGES], check=True)
    os.execv(python, [python, *sys.argv])


def users(count, chance):
    """Returns objects as from an API: their structure repeats, their values do not."""
    return [
        {
            "id": chance.getrandbits(63),
            "name": "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=12)),
            "email": f"{chance.getrandbits(40):x}@example.com",
            "active": chance.random() < 0.5,
            "score": chance.random(),
            "tags": chance.choices(["admin", "staff", "guest", "beta"], k=3),
        }
        for _ in range(count)
    ]


def json_text(size, chance):
    return json.dumps(users(size // 150 + 1, chance), separators=(",", ":")).encode()[:size]


def html_text(size, chance):
    rows = "".join(
        f'<tr class="row {"odd" if i % 2 else "even"}"><td><a href="/users/{u["id"]}">{u["name"]}</a></td>'
        f'<td class="score">{u["score"]:.3f}</td><td>{", ".join(u["tags"])}</td></tr>\n'
        for i, u in enumerate(users(size // 120 + 1, chance))
    )
    return f"<!doctype html><title>Users</title><table>{rows}".encode()[:size]


def random_bytes(size, chance):
    return chance.randbytes(size)


def in_pieces(make):
    """Returns a function that decodes a body in pieces."""

    def decode(coded, size):
        stream, done = make(), 0
        for start in range(0, len(coded), 16 * KIB):
            data = coded[start : start + 16 * KIB]
            while data:
                done += len(stream.decompress(data, 64 * KIB))
                data = stream.unconsumed_tail
        while not stream.eof:
            piece = stream.decompress(b"", 64 * KIB)
            if not piece:
                break
            done += len(piece)
        assert done == size, (done, size)

    return decode


def decoders():
    from deflate import gzip_decompress
    from isal import isal_zlib
    from zlib_ng import zlib_ng

    def whole(module):
        return lambda coded, size: module.decompress(coded, 31, size)

    return {
        "whole": {
            "zlib": whole(zlib),
            "zlib-ng": whole(zlib_ng),
            "ISA-L": whole(isal_zlib),
            "libdeflate": lambda coded, size: gzip_decompress(coded, size),
        },
        "pieces": {
            "zlib": in_pieces(lambda: zlib.decompressobj(31)),
            "zlib-ng": in_pieces(lambda: zlib_ng.decompressobj(31)),
            "ISA-L": in_pieces(lambda: isal_zlib.decompressobj(31)),
        },
    }


def turn(decode, coded, size, seconds):
    """Returns the CPU seconds for decoding one body."""
    count, start = 0, time.process_time()
    while True:
        decode(coded, size)
        count += 1
        took = time.process_time() - start
        if took >= seconds:
            return took / count


KINDS = [("JSON", json_text), ("HTML", html_text), ("random", random_bytes)]
SIZES = [(2 * KIB, "2 KiB"), (20 * KIB, "20 KiB"), (KIB * KIB, "1 MiB"), (64 * KIB * KIB, "64 MiB")]


def bodies():
    """Yields the name, the bytes and the gzip form of each body; the largest size only for JSON."""
    chance = random.Random(1)
    for kind, make in KINDS:
        for size, name in SIZES if kind == "JSON" else SIZES[:-1]:
            body = make(size, chance)
            compressor = zlib.compressobj(6, zlib.DEFLATED, 31)
            yield f"{kind} {name}", body, compressor.compress(body) + compressor.flush()


def write_bodies(folder):
    for name, body, coded in bodies():
        path = os.path.join(folder, name.replace(" ", "-"))
        for suffix, content in [("", body), (".gz", coded)]:
            with open(path + suffix, "wb") as file:
                file.write(content)


def main():
    if sys.argv[1:2] == ["bodies"]:
        return write_bodies(sys.argv[2])
    enter_environment()
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 0.2
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    print("| body | ratio | mode | zlib, MB/s | zlib-ng | ISA-L | libdeflate |\n| --- | ---: | --- | ---: | ---: | ---: | ---: |")
    for name, body, coded in bodies():
        for mode, all_decoders in decoders().items():
            times = {}
            for _ in range(turns):
                for library, decode in all_decoders.items():
                    times.setdefault(library, []).append(turn(decode, coded, len(body), seconds))
            took = {library: statistics.median(values) for library, values in times.items()}
            cells = [f"{took['zlib'] / took[library]:.2f}" if library in took else "–" for library in ("zlib-ng", "ISA-L", "libdeflate")]
            rate = len(body) / took["zlib"] / 1e6
            print(f"| {name} | {len(body) / len(coded):.1f} | {mode} | {rate:,.0f} | {' | '.join(cells)} |", flush=True)


main()
