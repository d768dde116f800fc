#!/usr/bin/env python3
"""Checks that the examples still build with one more case in each enum that may grow.

usage: check-growth.py [options of swift build]

The package is copied to .build-growth, where every `@nonexhaustive public enum` gets one more case. The package's own
switches need no `@unknown default`; if the compiler reports one as incomplete, a default is inserted. The examples
represent the code of users, so nothing is inserted there. The copy and its build folder are kept, so that a second run
is faster. Options such as `--product demo` build less.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import growth
from swift_source import tracked, without_text

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / ".build-growth/package"
SWIFT = os.environ.get("SWIFT", "swift")
ERROR = re.compile(r"^(?P<path>/[^:\n]+):(?P<line>\d+):\d+: error: (?P<text>.*)$", re.M)
ROUNDS = 60


def write(path, text):
    """Writes a file unless it has that text already, so that the package manager does not compile it again."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def copy_package():
    """Copies the package and its examples, adds the cases and returns their number."""
    count, files = 0, set(tracked(str(ROOT), "Package.swift", "Sources", "Tests", "Examples"))
    for old in COPY.rglob("*"):
        if old.is_file() and ".build" not in old.parts[len(COPY.parts):] and str(old.relative_to(COPY)) not in files:
            old.unlink()
    for name in files | {"Package.resolved", "Examples/Package.resolved"}:
        if not (ROOT / name).is_file():
            continue
        if re.match(r"Sources/.*\.swift$", name):
            source = (ROOT / name).read_text()
            source, probes = growth.with_probes(source, without_text(source))
            write(COPY / name, source)
            count += probes
        elif name == "Examples/Package.swift":
            # An `@unknown default` that matches a known case causes a warning, which these packages treat as an error.
            write(COPY / name, re.sub(r".*\.treatAllWarnings\(.*\n", "", (ROOT / name).read_text()))
        else:
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, COPY / name)
    return count


def build():
    """Builds the examples and returns the errors as {(path, line, text)}; ends the script if the build fails without
    errors."""
    command = [SWIFT, "build", "--package-path", COPY / "Examples", *(sys.argv[1:] or ["--build-tests"])]
    environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=environment)
    errors = {(match["path"], int(match["line"]), match["text"]) for match in ERROR.finditer(done.stdout)}
    if done.returncode != 0 and not errors:
        sys.exit(done.stdout[-10_000:])
    return errors


def repair(errors):
    """Gives a default to the package's own switches that lack one; returns the errors that remain."""
    left = []
    # Repairs a file from its last line to its first, so that the line numbers of the other errors stay valid.
    for path, line, text in sorted(errors, reverse=True):
        file = pathlib.Path(path)
        if text.startswith("switch must be exhaustive") and file.is_relative_to(COPY / "Sources"):
            source = file.read_text()
            repaired = growth.with_default(source, without_text(source), line)
            if repaired:
                file.write_text(repaired)
                continue
        left.append((path, line, text))
    return sorted(left)


def main():
    count, repairs = copy_package(), 0
    if count == 0:
        sys.exit("there is no @nonexhaustive enum to check")
    for _ in range(ROUNDS):
        errors = build()
        if not errors:
            print(f"the examples build with one more case in each of {count} enums; {repairs} switches of the package got a default")
            return
        left = repair(errors)
        repairs += len(errors) - len(left)
        if left:
            for path, line, text in left:
                print(f"{path.removeprefix(f'{COPY}/')}:{line}: error: {text}")
            sys.exit("this code does not compile with one more case in each enum that may grow")
    sys.exit(f"the package does not build after {ROUNDS} rounds of repairs")


main()
