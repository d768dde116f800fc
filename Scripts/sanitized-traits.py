#!/usr/bin/env python3
"""Prints the traits for the builds with AddressSanitizer of `.ci/run`, as SANITIZED_TRAITS of fuzz.sh.

usage: sanitized-traits.py [record]

GRDB, swift-configuration and their packages take a third of the time that the whole build takes. Only the fuzz targets
cacherows, diskcache and settings need them. The script leaves out their traits, and so these targets, if their code has
not changed since `make fuzz` last passed with all targets. `record`, which fuzz.sh calls, writes the checksum of that
code to Benchmarks/compiled.txt (see compiled.py).
"""
import sys

import compiled

PART = "fuzz"
OTHERS = ["AsyncDNS", "Brotli", "Images", "ISAL", "XML", "Zstandard"]


def main():
    state = compiled.state(PART)
    if sys.argv[1:] == ["record"]:
        print(f"fuzz: {compiled.record(PART, state)}")
    else:
        print(",".join(OTHERS) if compiled.is_recorded(PART, state) else "All")


if __name__ == "__main__":
    main()
