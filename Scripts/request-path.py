#!/usr/bin/env python3
"""Lists the source files whose functions run once for each request of a warm client.

usage: request-path.py CALLGRIND_OUTPUT BINARY REQUESTS

BINARY must have its debug information. CALLGRIND_OUTPUT comes from a stripped copy, because valgrind cannot read that
information:

    strip --strip-debug -o client BINARY
    valgrind --tool=callgrind --callgrind-out-file=OUTPUT ./client --url URL --get 13 --connections 1 --requests REQUESTS …

Inlined code counts for the file of the function that it is inlined into.
"""
import collections
import re
import subprocess
import sys


def call_counts(path):
    """Returns {symbol: number of calls} of each function."""
    names, counts, callee = {}, collections.Counter(), None
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if match := re.match(r"(c?)fn=\((\d+)\)(?: (.*))?", line.rstrip("\n")):
                if match[3]:
                    names[match[2]] = re.sub(r"'\d+$", "", match[3])
                if match[1]:
                    callee = match[2]
            elif line.startswith("calls="):
                counts[callee] += int(line[len("calls=") :].split()[0])
    return {names.get(number, ""): count for number, count in counts.items()}


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    output, binary, requests = sys.argv[1], sys.argv[2], int(sys.argv[3])
    listed = subprocess.run(["nm", binary], check=True, capture_output=True, text=True).stdout
    addresses = {parts[2]: parts[0] for line in listed.splitlines() if len(parts := line.split()) == 3}
    # A few requests need a new connection, or have to wait for their response.
    called = [name for name, count in call_counts(output).items() if count >= 0.95 * requests]
    wanted = [addresses[name] for name in called if name in addresses]
    places = subprocess.run(["addr2line", "-e", binary, *wanted], check=True, capture_output=True, text=True).stdout
    files = {match[1] for line in places.splitlines() if (match := re.search(r"/Sources/(C?Sockeye[^:]*):", line))}
    print(f"{len(files)} files")
    print("\n".join(sorted(files)))


if __name__ == "__main__":
    main()
