"""Tells whether code that only some builds compile has changed since it was last compiled. Used by compile-changed.py,
micro-benchmarks.py, check-platforms.py and sanitized-traits.py.

Benchmarks/compiled.txt has a line for each part and version of Swift: the SHA-256 of everything that the part was
compiled from when it last compiled and its tests passed. Code that uses only public declarations of Sockeye is compiled
from Scripts/api in place of Sources: `make api-check` proves that the two agree. New versions of other packages are
not noticed; the next change compiles with them.
"""
import hashlib
import os
import re
import subprocess
from pathlib import Path

from swift_source import tracked

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "Benchmarks/compiled.txt"
HEAD = "# Written by `make compile-changed bench-check check-platforms fuzz` (Scripts/compiled.py): part, Swift, SHA-256.\n"
# The files of each part besides Sockeye.
FILES = {
    "benchmarks": ["Benchmarks/Package.swift", "Benchmarks/Sources", "Benchmarks/Tests"],
    "frameworks": [
        "Examples/Package.swift", "Examples/StandIns", "Sources/Sockeye/Documentation.docc/Jobs.md",
        *(f"Examples/{kind}/{name}*" for name in ("Jobs", "MirrorExample", "Adapters", "Gateway", "SharedCache")
          for kind in ("Sources", "Tests")),
        *(f"Examples/Sources/Sockeye{name}" for name in ("NIO", "OpenAPI", "Soto", "Vapor")),
    ],
    "mirror": ["Examples/Package.swift", "Examples/Sources/MirrorExample*", "Examples/Tests/MirrorExampleTests"],
    "steps": ["Benchmarks/Micro/Package.swift", "Benchmarks/Micro/Benchmarks", "Benchmarks/Micro/Sources"],
    "platforms": [
        "Sources/CSockeyeSystem", "Sources/CSockeyeAres", "Tests/CPlatform", "Scripts/check-platforms.py",
        "Scripts/ziglang.txt",
    ],
    "fuzz": [
        *(f"Sources/Sockeye{name}" for name in ("Cache", "DiskCache", "Service")), "Tests/SockeyeFuzz/Targets/Harness",
        *(f"Tests/SockeyeFuzz/Targets/{name}Targets.swift" for name in ("DiskCache", "Fuzz", "Settings")),
        *(f"Tests/SockeyeFuzz/Corpora/{name}" for name in ("cacherows", "diskcache", "settings")),
    ],
}
# The parts that use `package` declarations of Sockeye, or whose tests run its code.
INSIDE = {"steps", "frameworks"}
# The parts whose checksum covers no other code of Sockeye: C, and fuzz targets, because others fuzz the rest.
ALONE = {"platforms", "fuzz"}
UNCOMPILED = re.compile(r"\.md$|\.docc/")
COMMENT = re.compile(rb"^[ \t]*//.*\n", re.M)


def compiled_bytes(path, data):
    """Returns the content of a file without the lines that are comments; in a manifest, comments can be settings."""
    return data if path.endswith("Package.swift") else COMMENT.sub(b"", data)


def checksum(contents):
    """Returns the SHA-256 of files: {path: bytes}."""
    total = hashlib.sha256()
    for path, data in sorted(contents.items()):
        total.update(f"{path} {hashlib.sha256(compiled_bytes(path, data)).hexdigest()}\n".encode())
    return total.hexdigest()


def availability(contents):
    """Returns the lines of Swift files with `@available`, which Scripts/api does not contain: a deprecation is a
    warning, and warnings are errors."""
    lines = (line.strip() for _, data in sorted(contents.items()) for line in data.split(b"\n"))
    return b"\n".join(line for line in lines if line.startswith(b"@available"))


def recorded(text, part, compiler):
    """Returns the checksum in the text of the record; None if there is none for the part and compiler."""
    rows = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return next((row[2] for row in rows if row[:2] == [part, compiler]), None)


def with_record(text, part, compiler, state):
    """Returns the text of the record with another checksum for a part and compiler."""
    lines = [line for line in text.splitlines() if not line.startswith("#") and line.split()[:2] != [part, compiler]]
    return HEAD + "".join(f"{line}\n" for line in sorted([*lines, f"{part} {compiler} {state}"]))


def contents(*patterns):
    """Returns the files that git tracks or would track as {path: bytes}; a link to a folder has its target as bytes."""
    found = {}
    for path in tracked(str(ROOT), *patterns):
        file = ROOT / path
        if file.is_file():
            found[path] = file.read_bytes()
        elif file.is_symlink():
            found[path] = os.readlink(file).encode()
    return found


def state(part):
    """Returns the checksum of a part as it is now."""
    if part in ALONE:
        return checksum(contents(*FILES[part]))
    files = contents("Package.swift", *FILES[part])
    sources = {path: data for path, data in contents("Sources").items() if not UNCOMPILED.search(path)}
    if part in INSIDE:
        files |= sources
    else:
        swift = {path: data for path, data in sources.items() if path.endswith(".swift")}
        files |= contents("Scripts/api") | {"availability": availability(swift)}
    return checksum(files)


def compiler():
    """Returns the version of Swift without its last number, such as swift-6.3."""
    text = subprocess.run(
        [os.environ.get("SWIFT", "swift"), "--version"], capture_output=True, text=True, check=True).stdout
    return "swift-" + re.search(r"Swift version (\d+\.\d+)", text).group(1)


def is_recorded(part, now):
    """Returns True if the part was compiled in this state."""
    text = RECORD.read_text() if RECORD.exists() else ""
    return recorded(text, part, compiler()) == now


def record(part, now):
    """Writes a state that was compiled. Returns a sentence about it for the developer; CI writes nothing."""
    if is_recorded(part, now):
        return "its checksum is in Benchmarks/compiled.txt already"
    if os.environ.get("CI"):
        return "`make compile-changed bench-check check-platforms fuzz` on a developer's machine write its checksum"
    RECORD.write_text(with_record(RECORD.read_text() if RECORD.exists() else "", part, compiler(), now))
    return "commit Benchmarks/compiled.txt, which has its checksum now"
