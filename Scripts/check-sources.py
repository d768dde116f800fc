#!/usr/bin/env python3
"""Checks what swift-format does not: the size of files and functions, and text that must not be published.

usage: check-sources.py [ROOT]

Prints one line per finding in the form compilers use and exits with 1 if there is any. Sizes are counted in
lines, comments included: a file that needs a long explanation is still a file that must be read as a whole.
"""
import re
import subprocess
import sys

MAX_FILE = 400
MAX_FUNCTION = 40
FUNCTION = re.compile(r"^\s*(?:[@\w()]+\s+)*?(?:func\s+\S+|init[?!]?(?=[<(])|deinit\b)")
MACHINE_PATH = re.compile(r"(?<![\w.~])/(?:home|Users|root|work)/\w")


def tracked_sources(root):
    """Swift and C files that git tracks or would track, so that build folders never count."""
    command = ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard", "--"]
    listed = subprocess.run(
        command + ["*.swift", "*.c", "*.h"], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    return sorted(set(listed))


def without_text(source):
    """Blanks comments and string literals and keeps every line where it was."""
    literal = re.compile(r'//[^\n]*|/\*.*?\*/|(#*)""".*?"""\1|(#*)"(?:\\.|[^"\\\n])*"\2', re.DOTALL)
    return literal.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), source)


def functions(code):
    """Yields (first line, length) of each Swift function that has a body."""
    lines = code.split("\n")
    for start, line in enumerate(lines):
        if not FUNCTION.match(line):
            continue
        depth, parentheses, opened = 0, 0, False
        for end in range(start, len(lines)):
            for character in lines[end]:
                if character in "()":
                    parentheses += 1 if character == "(" else -1
                elif character in "{}" and (opened or parentheses == 0):
                    depth += 1 if character == "{" else -1
                    opened = True
            if opened and depth == 0:
                yield start + 1, end - start + 1
                break
            if depth < 0 or (not opened and end - start > 16):
                break  # a requirement of a protocol: no body


def findings(path, source):
    lines = source.count("\n")
    if lines > MAX_FILE:
        yield 1, f"{lines} lines in one file, at most {MAX_FILE}"
    if source and not source.endswith("\n"):
        yield lines + 1, "no newline at the end of the file"
    for number, line in enumerate(source.split("\n"), 1):
        if MACHINE_PATH.search(line):
            yield number, "a path of one machine"
    if path.endswith(".swift"):
        for number, length in functions(without_text(source)):
            if length > MAX_FUNCTION:
                yield number, f"{length} lines in one function, at most {MAX_FUNCTION}"


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    failed = False
    for path in tracked_sources(root):
        try:
            with open(f"{root}/{path}", encoding="utf-8") as file:
                source = file.read()
        except FileNotFoundError:
            continue  # deleted, and not committed yet
        for number, message in findings(path, source):
            print(f"{path}:{number}: error: {message}")
            failed = True
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
