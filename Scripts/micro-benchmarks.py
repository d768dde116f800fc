#!/usr/bin/env python3
"""Counts the instructions of single steps and compares them with the committed thresholds.

usage: micro-benchmarks.py check|update [OPTION OF package-benchmark …]

`check` fails if a step takes more instructions than its threshold plus the tolerance, or a higher multiple of the
instructions of a compared step than promised. It also lists steps that take fewer instructions. Without a counter of
instructions, or with a toolchain without thresholds, it says why nothing was compared, and succeeds. It then builds the
benchmarks, unless they and Sockeye are unchanged since they were last built (see compiled.py). `update` writes the
thresholds of this toolchain. Options such as `--filter 'pool.*'` or `--target HTTP1` restrict both to some of the
steps.
"""
import ctypes
import errno
import glob
import json
import os
import platform
import re
import shutil
import signal
import struct
import subprocess
import sys

import compiled

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = f"{ROOT}/Benchmarks/Micro"
FIGURES = f"{PACKAGE}/.build/figures"
LOG = f"{PACKAGE}/.build/micro-benchmarks.log"
SWIFT = os.environ.get("SWIFT", "swift")

TOLERANCE = 0.05
# The number of runs of a step in one sample: the scaling factor of MicroKit's configuration.
RUNS = 1000
# Steps of MicroKit's other configuration, which run once per sample.
SINGLE_RUNS = re.compile(r"\.(other-)?json-call-")
# The prefix of steps of other code that Sockeye is compared with; they get no threshold.
COMPARISON = "other-"
# Promises: a step, a compared step, and the largest allowed ratio of their instructions.
PROMISES = [
    ("Client.query-encode-8", "Client.other-query-encode-8-urlcomponents", 1 / 3),
    ("Client.query-encode-32-long", "Client.other-query-encode-32-long-urlcomponents", 1 / 3),
    ("Client.json-call-2k", "Client.other-json-call-2k-collected", 1.05),
    ("Client.json-call-2k-as", "Client.other-json-call-2k-collected", 1.05),
    ("Client.json-call-64k", "Client.other-json-call-64k-collected", 1.05),
    ("Client.json-call-64k-as", "Client.other-json-call-64k-collected", 1.05),
]
# The timeout for building and measuring; the first time takes 2 minutes on two idle cores.
SECONDS = 1800

# Instructions must not depend on the hash seed of a process, nor on the variants of memchr and similar functions that
# the C library selects for a processor. Thresholds from one machine are then valid on others.
PROCESSOR_FEATURES = "AVX AVX2 AVX512F AVX512VL AVX512BW AVX_Fast_Unaligned_Load BMI2 ERMS FSRM LZCNT MOVBE RTM SSSE3"
ENVIRONMENT = os.environ | {
    "SWIFT_DETERMINISTIC_HASHING": "1",
    # The package manager of Swift 6.2 resolves this dependency of package-benchmark although its trait is off.
    "BENCHMARK_DISABLE_JEMALLOC": "1",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=" + ",".join("-" + name for name in PROCESSOR_FEATURES.split()),
}


def say(text):
    print(f"micro-benchmarks: {text}", flush=True)


def toolchain():
    """Returns the version of Swift and the processor, on which thresholds depend, such as swift-6.3.1-x86_64."""
    text = subprocess.run([SWIFT, "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"Swift version (\S+)", text)
    if not version:
        sys.exit(f"micro-benchmarks: cannot tell the version of {SWIFT}")
    return f"swift-{version.group(1)}-{platform.machine()}"


def counter_fault():
    """Returns the reason why the system does not count a process's instructions, or None. Opens a counter and reads
    it."""
    call = {"x86_64": 298, "aarch64": 241}.get(platform.machine())
    if call is None:
        return None  # package-benchmark then finds out if there is a counter.
    # Instructions (1) of the hardware (0), in user mode only, as package-benchmark asks for them.
    exclude_kernel, exclude_hypervisor = 1 << 5, 1 << 6
    attributes = struct.pack("IIQQQQQ16x", 0, 64, 1, 0, 0, 0, exclude_kernel | exclude_hypervisor)
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.syscall(call, attributes, 0, -1, -1, ctypes.c_ulong(0))
    if descriptor >= 0:
        count = struct.unpack("Q", os.read(descriptor, 8))[0]
        os.close(descriptor)
        return None if count else "the processor's counter of instructions does not count, as on some virtual machines"
    code = ctypes.get_errno()
    if code in (errno.EACCES, errno.EPERM):
        try:
            with open("/proc/sys/kernel/perf_event_paranoid", encoding="ascii") as file:
                setting = f"kernel.perf_event_paranoid is {file.read().strip()}, but must be 2 or less"
        except OSError:
            setting = "there is no kernel.perf_event_paranoid"
        return f"this process may not count instructions ({setting}; containers may forbid it, too)"
    if code in (errno.ENOENT, errno.EOPNOTSUPP, errno.ENODEV):
        return "the processor has no counter of instructions, as on most virtual machines"
    return f"instructions cannot be counted ({os.strerror(code)})"


def fix_addresses():
    """Turns off address randomization for the processes that this one starts, if that is allowed. Tables of the runtime
    are keyed by addresses, and collisions of their entries take up to 6 % of a step that decodes JSON."""
    address_no_randomize = 0x0040000
    ctypes.CDLL(None).personality(ctypes.c_ulong(address_no_randomize))


def run_benchmarks(arguments):
    """Builds and runs package-benchmark; prints its output only if it fails."""
    # An existing release build does not notice new files of a package that it depends on by path.
    for stale in [f"{PACKAGE}/.build/release.yaml", *glob.glob(f"{PACKAGE}/.build/*/release/description.json")]:
        if os.path.exists(stale):
            os.remove(stale)
    os.makedirs(os.path.dirname(LOG), exist_ok=True)
    command = [SWIFT, "package", "benchmark", *arguments, "--no-progress"]
    with open(LOG, "w", encoding="utf-8") as log:
        process = subprocess.Popen(
            command, cwd=PACKAGE, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = process.wait(SECONDS)
        except BaseException as reason:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if not isinstance(reason, subprocess.TimeoutExpired):
                raise
            code = f"none within {SECONDS} seconds"
    if code != 0:
        with open(LOG, encoding="utf-8", errors="replace") as log:
            sys.stdout.writelines(log.readlines()[-60:])
        sys.exit(f"micro-benchmarks: package-benchmark failed (exit code {code})")


def measure(options):
    """Returns the instructions of one run of each step, by target and name; None if nothing was counted."""
    shutil.rmtree(FIGURES, ignore_errors=True)
    fix_addresses()
    say("building and measuring, which takes some minutes the first time …")
    run_benchmarks(
        ["run", "--metric", "instructions", "--format", "metricP90AbsoluteThresholds", "--path", FIGURES, *options])
    figures = {}
    for path in glob.glob(f"{FIGURES}/*.p90.json"):
        name = os.path.basename(path).removesuffix(".p90.json")
        with open(path, encoding="utf-8") as file:
            count = json.load(file).get("instructions")
        figures[name] = None if count is None else round(count / (1 if SINGLE_RUNS.search(name) else RUNS), 1)
    return dict(sorted(figures.items()))


def own(figures):
    return {name: count for name, count in figures.items() if not name.split(".", 1)[1].startswith(COMPARISON)}


def broken_promises(figures):
    """Prints a line for each promise if both of its steps were counted, and returns the broken promises."""
    counted = [promise for promise in PROMISES if figures.get(promise[0]) and figures.get(promise[1])]
    if not counted:
        return []
    print(f"\n{'step':<28} {'instructions':>14}   {'beside':<52} {'instructions':>14} {'ratio':>7} {'promised':>9}")
    broken = []
    for name, other, promised in counted:
        ratio = figures[name] / figures[other]
        print(f"{name:<28} {figures[name]:>14,.1f}   {other:<52} {figures[other]:>14,.1f} {ratio:>7.3f} {promised:>9.3f}")
        if ratio > promised:
            broken.append(f"{name}: {ratio:.3f} times the instructions of {other}, {promised:.3f} are promised")
    return broken


def compare(figures, thresholds, partial):
    """Prints a line for each step, and returns texts about worse steps, better steps and steps without a
    counterpart."""
    worse, better, notes = [], [], []
    print(f"{'step':<44} {'instructions':>14} {'threshold':>14} {'change':>9}")
    for name, count in figures.items():
        threshold = thresholds.get(name)
        if count is None:
            worse.append(f"{name}: nothing was counted")
        elif threshold is None:
            notes.append(f"{name} has no threshold yet: {count:,.1f} instructions")
        else:
            change = count / threshold - 1
            print(f"{name:<44} {count:>14,.1f} {threshold:>14,.1f} {change:>+9.1%}")
            text = f"{name}: {change:+.1%}, {count:,.1f} instructions instead of {threshold:,.1f}"
            if change > TOLERANCE:
                worse.append(text)
            elif change < -TOLERANCE:
                better.append(text)
    if not partial:
        notes += [f"{name} has a threshold, but no longer exists" for name in thresholds if name not in figures]
    return worse, better, notes


def compile_only(options):
    """Builds the steps unless they were built in this state, and records it."""
    state = compiled.state("steps")
    if compiled.is_recorded("steps", state):
        return say("nothing is built: the steps and Sockeye are unchanged since they were last compiled")
    say("building only …")
    run_benchmarks(["list", *options])
    if not options:
        say(compiled.record("steps", state))
    return None


def check(name, path, options):
    known = sorted(os.path.basename(other).removesuffix(".json") for other in glob.glob(f"{PACKAGE}/Thresholds/swift-*.json"))
    fault = counter_fault()
    if not os.path.exists(path):
        fault = f"there are no thresholds for {name}, only for {', '.join(known) or 'nothing at all'}"
    if fault:
        compile_only(options)
        return say(f"SKIPPED: {fault}")
    with open(path, encoding="utf-8") as file:
        thresholds = json.load(file)
    state = compiled.state("steps")
    figures = measure(options)
    if not figures:
        sys.exit("micro-benchmarks: no step was measured")
    if not options:
        say(compiled.record("steps", state))
    if all(count is None for count in figures.values()):
        return say("SKIPPED: package-benchmark cannot read the counter of instructions here")
    broken = broken_promises(figures)
    figures = own(figures)
    worse, better, notes = compare(figures, thresholds["instructions"], bool(options))
    for text in notes:
        say(text)
    for text in better:
        say(f"better: {text}")
    for text in worse:
        say(f"WORSE: {text}")
    if better or notes:
        say("`make bench-thresholds` writes new thresholds")
    for text in broken:
        say(f"BROKEN PROMISE: {text}")
    if worse:
        if libraries() != thresholds["libraries"]:
            say(f"the thresholds are from {thresholds['libraries']}, this is {libraries()}: that may be the reason")
        sys.exit(f"micro-benchmarks: {len(worse)} of {len(figures)} steps exceed their threshold by over 5 %, or were not counted")
    if broken:
        sys.exit(f"micro-benchmarks: {len(broken)} promises are broken")
    say(f"{len(figures)} steps, none of which exceeds its threshold by over 5 %")


def update(name, path, options):
    fault = counter_fault()
    if fault:
        sys.exit(f"micro-benchmarks: no thresholds written: {fault}")
    figures = own(measure(options))
    if not figures or None in figures.values():
        sys.exit("micro-benchmarks: no thresholds written: not every step was counted")
    if options and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            figures = dict(sorted((json.load(file)["instructions"] | figures).items()))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"toolchain": name, "libraries": libraries(), "instructions": figures}, file, indent=2)
        file.write("\n")
    say(f"wrote {os.path.relpath(path)}, {len(figures)} steps")


def libraries():
    """Returns the names and versions of the libraries whose instructions are counted, too."""
    zlib = subprocess.run(["pkg-config", "--modversion", "zlib"], capture_output=True, text=True).stdout.strip()
    return f"{' '.join(platform.libc_ver())}, zlib {zlib}"


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in ("check", "update"):
        sys.exit(__doc__)
    name = toolchain()
    path = f"{PACKAGE}/Thresholds/{name}.json"
    {"check": check, "update": update}[sys.argv[1]](name, path, sys.argv[2:])


if __name__ == "__main__":
    main()
