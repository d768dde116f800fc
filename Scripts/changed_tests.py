#!/usr/bin/env python3
"""Prints the test targets for the changed files whose paths are in the input, in one line. check.sh calls it."""
import re
import sys
from pathlib import Path

# The targets whose tests cover a target without tests of its own.
TESTED_WITH = {
    "CAres": "SockeyeDNS", "CSockeyeAres": "SockeyeDNS", "CSockeyeSystem": "SockeyePlatform",
    "CPlatform": "SockeyePlatform", "COpenSSL": "SockeyeNet", "CBrotli": "SockeyeHTTP", "CISAL": "SockeyeHTTP",
    "CSockeyeData": "SockeyeHTTP", "CZlib": "SockeyeHTTP", "CZstandard": "SockeyeHTTP", "CJPEG": "SockeyeImages",
    "CPNG": "SockeyeImages", "CSockeyeImages": "SockeyeImages", "CWebP": "SockeyeImages", "CSockeyeXML": "SockeyeXML",
    "CXML": "SockeyeXML", "CSockeyeBenchmark": "SockeyeBenchmark", "SockeyeSoak": "SockeyeFault",
}
# The tests for everything else.
REST = "SockeyeTests"


def targets(paths, tests):
    """Returns the test targets for changed files. `tests` contains the texts of all test sources by their paths."""
    found = set()
    for path in paths:
        folder = path.split("/")[1]
        if folder == "Cases":
            quoted = f'"{path.split("/")[-1]}"'
            names = {test.split("/")[1] for test, text in tests.items() if quoted in text}
        else:
            names = {TESTED_WITH.get(folder, re.sub("Tests$", "", folder)) + "Tests"}
        found |= {name for name in names if any(test.startswith(f"Tests/{name}/") for test in tests)} or {REST}
    return sorted(found)


if __name__ == "__main__":
    root = Path(__file__).resolve().parent.parent
    tests = {str(file.relative_to(root)): file.read_text() for file in root.glob("Tests/*Tests/**/*.swift")}
    print(*targets(sys.stdin.read().split(), tests))
