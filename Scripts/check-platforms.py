#!/usr/bin/env python3
"""Compiles and links CSockeyeSystem and CSockeyeAres for the systems that the library is ported to, with all warnings
as errors, and runs their checks in C (Tests/CPlatform) where this machine can run them.

usage: check-platforms.py [--changed | TARGET…]

With --changed nothing is compiled if all checks have passed with the same files (see compiled.py).

The compiler is that of PyPI's package ziglang, which contains the headers of macOS, FreeBSD and musl and the symbols of
their libraries (Scripts/install-deps.sh platforms). A symbol that a system lacks is an error of the linker. Programs
for Linux run here: those for musl directly, and those for the other processor under qemu-user. The headers of c-ares
are this machine's. Its library is replaced by functions of the same names.

Prints one line per target, and exits with 1 if anything failed. Compiled files are kept in .build/platforms.
"""
import concurrent.futures
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import threading

import compiled

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build/platforms"
ZIG = pathlib.Path(os.environ.get("SOCKEYE_ZIG", ROOT / ".build/ziglang")) / "bin/python"
SYSTEM, ARES = ROOT / "Sources/CSockeyeSystem", ROOT / "Sources/CSockeyeAres"
CHECKS, MODEL = ROOT / "Tests/CPlatform/Checks", ROOT / "Tests/CPlatform/KqueueModel"
COMMON = [CHECKS / "Check.c", CHECKS / "Sockets.c", CHECKS / "StandIns.c"]

# glibc of Debian 12 and Ubuntu 22.04 is at least this one. Its programs are linked only: they need its loader.
TARGETS = [
    "aarch64-macos", "x86_64-macos", "x86_64-freebsd", "aarch64-freebsd", "x86_64-linux-musl", "aarch64-linux-musl",
    "x86_64-linux-gnu.2.35", "aarch64-linux-gnu.2.35",
]
# A target without a backend: compiling for it must fail with one sentence.
UNSUPPORTED = "x86_64-netbsd"
FLAGS = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-pthread", f"-I{SYSTEM}/include", f"-I{ARES}/include"]
# The checks ignore the results of calls that prepare them.
OF_CHECKS = ["-Wno-unused-result"]
OF_MODEL = ["-DSOCKEYE_KQUEUE_MODEL", f"-I{MODEL}/include", f"-I{MODEL}"]
# A function of the headers that is not inline, and a constant.
DECLARATION = re.compile(r"^(?!static|struct \w+;|//|#).*?\b(sockeye_\w+)(?:\(|;$)", re.M)
PASSED = re.compile(r"(\d+) passed, 0 failed")
printing = threading.Lock()


class Failure(Exception):
    """A command that failed, with its output."""


def run(command, **options):
    """Runs a command and returns its output; raises Failure if it fails."""
    command = [str(part) for part in command]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **options)
    if done.returncode != 0:
        raise Failure(done.stdout or f"{command[0]}: exit code {done.returncode}")
    return done.stdout


def compiler(target, *arguments, **options):
    """Calls the C compiler for a target. Its own parts, such as musl, are compiled once and kept, too."""
    environment = dict(os.environ, ZIG_GLOBAL_CACHE_DIR=str(BUILD / "zig"), ZIG_LOCAL_CACHE_DIR=str(BUILD / "zig"))
    return run([ZIG, "-m", "ziglang", "cc", "-target", target, *arguments], env=environment, **options)


def headers_of_ares():
    """Copies the headers of c-ares to a folder of their own, so that no other header of this machine is found."""
    folder = BUILD / "ares"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    flags = run(["pkg-config", "--variable=includedir", "libcares"]).split()
    for header in pathlib.Path(flags[0] if flags else "/usr/include").glob("ares*.h"):
        shutil.copy(header, folder)
    return folder


def references():
    """Writes a source that refers to everything the headers declare, so that a missing definition is an error."""
    names = set()
    for header in [*SYSTEM.glob("include/*.h"), *ARES.glob("include/*.h")]:
        # Without the bodies of types and of functions.
        names.update(DECLARATION.findall(re.sub(r"\{[^{}]*\}", "", header.read_text())))
    lines = ['#include "CSockeyeSystem.h"', '#include "CSockeyeAres.h"', "const void *const sockeye_everything[] = {"]
    lines += [f"    (const void *)&{name}," for name in sorted(names)] + ["};", ""]
    (BUILD / "Everything.c").write_text("\n".join(lines))


def objects(target, folder, sources, *flags):
    """Compiles sources into a folder and returns the objects."""
    made = []
    folder.mkdir(parents=True, exist_ok=True)
    for source in sources:
        made.append(folder / (source.stem + ".o"))
        compiler(target, *FLAGS, *flags, "-c", source, "-o", made[-1])
    return made


def programs(target, ares):
    """Compiles everything for a target. Returns the number of sources and the linked programs by name."""
    folder = BUILD / target
    parts = objects(target, folder, sorted(SYSTEM.glob("*.c")))
    parts += objects(target, folder, [ARES / "CSockeyeAres.c"], "-DSOCKEYE_ASYNC_DNS", f"-I{ares}")
    count = len(parts)
    parts.append(BUILD / "Everything.c")
    linked = {}
    for name in ["ByteBlocksCheck", "SocketCallCheck", "ProcessCallCheck", "ReadinessCheck"]:
        linked[name] = link(target, folder / name, parts)
    if "linux" in target:
        linked.update(programs_of_model(target, folder / "model"))
    return count, linked


def programs_of_model(target, folder):
    """Returns the checks of the kqueue model, and of the event queue of Darwin and FreeBSD on top of it."""
    parts = objects(target, folder, sorted(MODEL.glob("*.c")) + sorted(SYSTEM.glob("*.c")), *OF_MODEL)
    parts.append(CHECKS / "Events.c")
    names = ["KqueueFilterCheck", "KqueueCallCheck", "ReadinessCheck"]
    return {f"{name} over the model": link(target, folder / name, parts, *OF_MODEL) for name in names}


def link(target, program, parts, *flags):
    """Links a check with all parts, so that each of their symbols must be there."""
    compiler(target, *FLAGS, *OF_CHECKS, *flags, CHECKS / f"{program.name}.c", *COMMON, *parts, "-o", program)
    return program


def emulator(target):
    """The command that runs programs of a target here, empty for this machine's own; None if there is none."""
    processor, _, system = target.partition("-")
    if platform.system() != "Linux" or not system.startswith("linux"):
        return None
    if processor == platform.machine():
        return [] if "musl" in system or platform.libc_ver()[0] == "glibc" else None
    program = shutil.which(f"qemu-{processor}")
    return [program] if program and "musl" in system else None


def run_checks(target, linked):
    """Runs the checks of a target; returns how many passed, or why they did not run."""
    command, passed = emulator(target), 0
    if command is None:
        return "not run here"
    for name, program in linked.items():
        # qemu-user does not pass the options on that the model asks the kernel for.
        if command and "model" in name:
            continue
        output = run([*command, program], timeout=120)
        count = PASSED.search(output)
        if not count:
            raise Failure(f"{program}\n{output}")
        passed += int(count.group(1))
    return f"{passed} checks passed" + (" under qemu" if command else "")


def check(target, ares):
    """Checks one target and prints a line. Returns True on success."""
    try:
        count, linked = programs(target, ares)
        outcome = f"{count} files compiled, {len(linked)} programs linked, {run_checks(target, linked)}"
        done = True
    except (Failure, subprocess.TimeoutExpired) as failure:
        outcome, done = f"failed\n{failure}", False
    with printing:
        print(f"{target}: {outcome}", flush=True)
    return done


def check_refusal():
    """Checks that compiling for a system without a backend fails with the one sentence of the header."""
    header = SYSTEM / "include/CSockeyeSystem.h"
    try:
        compiler(UNSUPPORTED, "-fsyntax-only", "-x", "c", header)
        errors = []
    except Failure as failure:
        errors = re.findall(r"error: (.*)", str(failure))
    print(f"{UNSUPPORTED}: {len(errors)} error: {' '.join(errors)}", flush=True)
    return len(errors) == 1 and "Sockeye runs on" in errors[0]


def main():
    state, names = compiled.state("platforms"), [name for name in sys.argv[1:] if name != "--changed"]
    if names != sys.argv[1:] and compiled.is_recorded("platforms", state):
        print("check-platforms: unchanged since all checks passed")
        return 0
    subprocess.run([ROOT / "Scripts/install-deps.sh", "platforms"], check=True)
    if not ZIG.exists():
        print("check-platforms: NOT CHECKED, because ziglang is not installed")
        return 0
    targets = names or TARGETS
    ares = headers_of_ares()
    references()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(lambda target: check(target, ares), targets))
    if not names:
        done.append(check_refusal())
    if not all(done):
        return 1
    if not names:
        print(f"check-platforms: {compiled.record('platforms', state)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
