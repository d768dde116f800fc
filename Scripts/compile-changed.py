#!/usr/bin/env python3
"""Compiles and tests the code with packages of others that take long to compile: the package Benchmarks, the examples
with NIO, Hummingbird and swift-crypto, and MirrorExampleBefore.

usage: compile-changed.py [PART…]

A part that has not changed since it was last compiled is skipped (see compiled.py); ALWAYS=1 compiles it nevertheless.
Outside of CI the checksum of a part that compiled, and whose tests passed, is written to Benchmarks/compiled.txt.

The builds share the folder and the traits of the library's own tests.
"""
import os
import re
import subprocess
import sys

import compiled

ROOT = str(compiled.ROOT)
SWIFT = os.environ.get("SWIFT", "swift")
ENVIRONMENT = os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1", "SOCKEYE_SHARED_BUILD": "1"}
# See run-tests.sh.
FLAGS = os.environ.get("SOCKEYE_BUILD_FLAGS", "").split()
# Tests run with random hash seeds, as in run-tests.sh.
OF_TESTS = os.environ | {"NO_COLOR": "1", "SWT_SWIFT_ERROR_BACKTRACING_ENABLED": "0"}
OF_EXAMPLES = "sockeye-examplesPackageTests.xctest"
# The folder of a part's package, the name of its test bundle, the test targets, and variables that the manifest reads.
PARTS = {
    "benchmarks": ("Benchmarks", "sockeye-benchmarksPackageTests.xctest", "BenchmarkReportTests", {}),
    "frameworks": (
        "Examples", OF_EXAMPLES, "(JobsTests|MirrorExampleTests|AdaptersTests|GatewayTests|SharedCacheTests)", {}),
    "mirror": ("Examples", OF_EXAMPLES, "MirrorExampleTests", {"SOCKEYE_ASYNC_HTTP_CLIENT": "1"}),
}
PASSED = re.compile(r"Test run with [1-9]\d* tests? .*")


def run(*command, variables=None, **options):
    return subprocess.run(command, cwd=ROOT, env=ENVIRONMENT | (variables or {}), check=True, text=True, **options)


def compile_and_test(part):
    """Raises CalledProcessError if the part does not compile, and ends the script if its tests do not pass."""
    folder, bundle, target, variables = PARTS[part]
    for task in "test", "bench":  # The libraries of all traits, the servers of the tests, and libcurl.
        run("Scripts/install-deps.sh", task)
    build = [SWIFT, "build", "--package-path", folder, "--scratch-path", ".build", *FLAGS]
    run(*build, "--build-tests", variables=variables)
    place = run(*build, "--show-bin-path", variables=variables, stdout=subprocess.PIPE).stdout.strip()
    tests = [f"{place}/{bundle}", "--testing-library", "swift-testing", "--no-parallel", "--filter", f"^{target}\\."]
    done = subprocess.run(
        tests, cwd=ROOT, env=OF_TESTS, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    passed = PASSED.search(done.stdout)
    if done.returncode or not passed:
        sys.exit(f"{done.stdout}\ncompile-changed: the tests of {target} did not pass")
    print(passed.group())


def main():
    unknown = [name for name in sys.argv[1:] if name not in PARTS]
    if unknown:
        sys.exit(f"compile-changed: unknown part {unknown[0]}; one of {', '.join(PARTS)}")
    for part in sys.argv[1:] or PARTS:
        state = compiled.state(part)
        if compiled.is_recorded(part, state) and not os.environ.get("ALWAYS"):
            print(f"compile-changed: {part}: unchanged since it was compiled and tested", flush=True)
            continue
        print(f"compile-changed: {part}: has changed, compiling …", flush=True)
        try:
            compile_and_test(part)
        except subprocess.CalledProcessError as failure:
            sys.exit(f"compile-changed: {part}: {' '.join(failure.cmd[:4])} failed")
        print(f"compile-changed: {part}: {compiled.record(part, state)}", flush=True)


if __name__ == "__main__":
    main()
