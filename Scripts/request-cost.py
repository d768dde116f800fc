#!/usr/bin/env python3
"""Counts the user instructions and allocations of a small GET, on any machine, and compares them with the committed
thresholds.

usage: request-cost.py check|update|table

valgrind counts every instruction that a process executes. It needs no counter of the processor, and its figures differ
by less than 3 % from run to run. Each client runs twice with different numbers of requests; the difference of the two
runs is the cost of the requests without the start and the end of the process. nginx answers with 13 bytes, over
loopback.

`table` also counts a build as a server is best deployed (static, optimized at link time: `-deployed`), and the other
clients that `make bench` has built (hyper, reqwest, libcurl, async-http-client), with all of their threads. It names
the clients that are not built.

`check` fails if a request takes over 5 % more instructions than its threshold, or more allocations. How often a thread
sleeps and is woken depends on the load of the machine, so a kind of request that exceeds its threshold is measured up
to twice more, and its lowest figure counts. If valgrind or nginx is missing, or this toolchain has no thresholds, it
says so and succeeds. `table` also prints system calls and context switches.
"""
import concurrent.futures
import itertools
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = f"{ROOT}/Benchmarks/Micro"
SWIFT = os.environ.get("SWIFT", "swift")
TOLERANCE = 0.05
# With half of these numbers, figures for 64 connections differ by up to 6 % from run to run, depending on how the
# connections are made.
FEW, MANY = 2000, 8000
# Name, connections, variant (see RequestCost).
CASES = [
    ("get-c1", 1, ""), ("get-c64", 64, ""), ("get-c1-loop", 1, "loop"), ("get-c64-loop", 64, "loop"),
    ("get-c64-policies", 64, "policies"), ("get-c64-signed", 64, "signed"), ("get-c64-monitored", 64, "monitored"),
]
# Linked statically and optimized at link time.
DEPLOYED = ["--static-swift-stdlib", "--experimental-lto-mode=full", "-Xswiftc", "-use-ld=lld"]
# The other clients: the folder in Benchmarks/.build and the name of the program.
PEERS = [("peers", "client-hyper"), ("peers", "client-reqwest"), ("release", "client-curl"), ("release", "client-ahc")]
# The timeout of a run; under valgrind it takes some seconds.
SECONDS = 300

# The main thread of an asynchronous Swift program waits in sigsuspend with a mask in read-only memory, but valgrind
# 3.19 writes to the mask. This replacement passes a copy.
SHIM = """
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
int sigsuspend(const sigset_t *mask) { sigset_t copy = *mask; return (int)syscall(SYS_rt_sigsuspend, &copy, 8); }
"""


def say(text):
    print(f"request-cost: {text}", flush=True)


def missing():
    """Returns the first program that is needed and missing; None if all are installed."""
    for tool in ("valgrind", "cc"):
        if not shutil.which(tool):
            return tool
    return None if nginx() else "nginx"


def nginx():
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def toolchain():
    text = subprocess.run([SWIFT, "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"Swift version (\S+)", text).group(1)
    return f"swift-{version}-{os.uname().machine}"


def build(deployed=False):
    """Makes a release build, or one as a server is best deployed, with the flags of Benchmarks/Scripts/build.sh. The
    latter has its own folder, because its flags lead to other object files. Returns the path of the program."""
    command = [SWIFT, "build", "--package-path", PACKAGE, "--configuration", "release", "--product", "RequestCost"]
    if deployed:
        command += ["--scratch-path", f"{PACKAGE}/.build-deployed", *DEPLOYED]
    environment = os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1", "SOCKEYE_WITHOUT_STEPS": "1"}
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    folder = subprocess.run([*command, "--show-bin-path"], check=True, env=environment, capture_output=True, text=True)
    return f"{folder.stdout.strip()}/RequestCost"


class Server:
    """An nginx with its own folder, which runs during a `with` block."""

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        temporary = " ".join(f"{name}_temp_path {self.folder}/t;" for name in
                             ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        os.makedirs(f"{self.folder}/files")
        with open(f"{self.folder}/files/small", "w", encoding="ascii") as file:
            file.write("Hello, world!")
        with open(f"{self.folder}/nginx.conf", "w", encoding="ascii") as file:
            file.write(f"""daemon off; master_process off; pid {self.folder}/pid;
events {{ worker_connections 1024; }}
http {{ {temporary} access_log off; keepalive_requests 1000000000; root {self.folder}/files;
        server {{ listen 127.0.0.1:{port} backlog=1024; }} }}
""")
        self.process = subprocess.Popen(
            [nginx(), "-p", self.folder, "-c", f"{self.folder}/nginx.conf", "-e", f"{self.folder}/log"])
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return f"http://127.0.0.1:{port}/small"
            except OSError:
                time.sleep(0.05)
        sys.exit("request-cost: nginx does not answer")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def run(command, **environment):
    result = subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS, env=os.environ | environment)
    if result.returncode != 0:
        sys.exit(f"request-cost: {' '.join(command)} failed:\n{result.stderr[-2000:]}")
    return result


def instructions(command, folder):
    """Runs a command and returns the number of its instructions and of its allocations."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8", dir=folder) as profile:
        output = run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile.name}", *command],
            LD_PRELOAD=f"{folder}/shim.so")
        total = re.search(r"I\s+refs:\s+([\d,]+)", output.stderr)
        return int(total.group(1).replace(",", "")), allocations(profile)


def allocations(profile):
    """Returns the number of calls of malloc and similar functions: the lines `calls=` after a line `cfn=` with such a
    function."""
    names, callee, count = {}, None, 0
    for line in profile:
        found = re.match(r"c?fn=\((\d+)\)(?: (.*))?", line)
        if found:
            if found.group(2):
                names[found.group(1)] = found.group(2)
            callee = names[found.group(1)] if line.startswith("cfn") else callee
        elif line.startswith("calls=") and callee in ("malloc", "calloc", "realloc", "posix_memalign", "memalign",
                                                      "aligned_alloc"):
            count += int(line[6:].split()[0])
    return count


def difference(count):
    """Returns the cost of one request from two runs; `count(n)` returns the costs of a run with n requests."""
    few, many = count(FEW), count(MANY)
    return [(b - a) / (MANY - FEW) for a, b in zip(few, many)]


def system_calls(command):
    """Runs a command under strace and returns the number of its system calls; 0 without strace."""
    calls = run(["strace", "-f", "-c", "-qq", "-S", "name", *command]).stderr if shutil.which("strace") else ""
    total = re.search(r"^\s*100\.00\s+\S+\s+(?:\d+\s+)?(\d+)", calls, re.MULTILINE)
    return int(total.group(1)) if total else 0


def switches(command):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    return usage.ru_nvcsw + usage.ru_nivcsw


def peers(url, folder):
    """Yields (name, function from a number of requests to a command) for the small GETs of each other client."""
    for place, name in PEERS:
        built, program = f"{ROOT}/Benchmarks/.build/{place}/{name}", f"{folder}/{name}"
        if not os.path.exists(built):
            say(f"{name} is omitted: make bench has not built it")
            continue
        strip(built, program)
        for connections in (1, 64):
            def command(requests, program=program, connections=connections):
                load = ["--connections", str(connections), "--tasks", str(connections), "--requests", str(requests)]
                return [program, "--url", url, "--get", "13", *load, "--seconds", str(SECONDS), "--warmup", "0"]

            yield f"{name.removeprefix('client-')}-c{connections}", command


def strip(program, copy):
    """Copies a program without debugging information, because valgrind 3.19 cannot read all forms of it."""
    subprocess.run(["strip", "--strip-debug", "-o", copy, program], check=True)


def figure(command, folder, with_calls):
    count, blocks = difference(lambda requests: instructions(command(requests), folder))
    row = {"instructions": round(count), "allocations": round(blocks, 1)}
    if with_calls:
        calls, changes = difference(lambda requests: (system_calls(command(requests)), switches(command(requests))))
        row |= {"systemCalls": round(calls, 2), "contextSwitches": round(changes, 2)}
    return row


def exceeds(row, known):
    """True if a figure is above its threshold. The tolerance is for occasional allocations outside of requests, such as
    of a thread that was woken late."""
    return (row["instructions"] > known["instructions"] * (1 + TOLERANCE)
            or row["allocations"] > known["allocations"] + 0.5)


def lowest(command, folder, known):
    """Returns the figures of a run, or the lowest of three if the first two exceed their thresholds."""
    best = figure(command, folder, False)
    for _ in range(2):
        if known is None or not exceeds(best, known):
            break
        again = figure(command, folder, False)
        best = {name: min(value, again[name]) for name, value in best.items()}
    return best


def measure(with_calls=False, thresholds=None):
    """Returns the figures of a release build; with calls, also of a deployed build and of the other clients. Figures
    above their thresholds are measured again."""
    programs = {"": build()} | ({"-deployed": build(deployed=True)} if with_calls else {})
    commands = {}
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/shim.c", "w", encoding="ascii") as file:
            file.write(SHIM)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", f"{folder}/shim.so", f"{folder}/shim.c"], check=True)
        for kind, program in programs.items():
            strip(program, f"{folder}/RequestCost{kind}")
        with Server(folder) as url:
            for kind, (name, connections, variant) in itertools.product(programs, CASES):
                def command(requests, kind=kind, connections=connections, variant=variant):
                    return [f"{folder}/RequestCost{kind}", url, str(connections), str(requests), variant]

                commands[name + kind] = command
            commands |= dict(peers(url, folder) if with_calls else ())
            # valgrind counts nearly the same beside another process. System calls and context switches depend on that
            # load.
            with concurrent.futures.ThreadPoolExecutor(1 if with_calls else os.cpu_count()) as pool:
                rows = pool.map(
                    lambda name: figure(commands[name], folder, True) if with_calls
                    else lowest(commands[name], folder, (thresholds or {}).get(name)), commands)
                return dict(zip(commands, rows))


def table(figures):
    print(f"{'request':<22} {'instructions':>13} {'allocations':>12} {'system calls':>13} {'context switches':>17}")
    for name, row in figures.items():
        print(f"{name:<22} {row['instructions']:>13,} {row['allocations']:>12.1f} {row['systemCalls']:>13.2f} "
              f"{row['contextSwitches']:>17.2f}")


def check(figures, thresholds):
    worse = 0
    print(f"{'request':<22} {'instructions':>13} {'threshold':>10} {'change':>8} {'allocations':>12} {'threshold':>10}")
    for name, row in figures.items():
        known = thresholds.get(name)
        if known is None:
            print(f"{name:<22} {row['instructions']:>13,} {'none':>10} {'':>8} {row['allocations']:>12.1f} {'none':>10}")
            continue
        change = row["instructions"] / known["instructions"] - 1
        print(f"{name:<22} {row['instructions']:>13,} {known['instructions']:>10,} {change:>+8.1%} "
              f"{row['allocations']:>12.1f} {known['allocations']:>10.1f}")
        worse += exceeds(row, known)
    if worse:
        sys.exit(f"request-cost: {worse} of {len(figures)} kinds of requests exceed their threshold")
    say(f"{len(figures)} kinds of requests, all within their threshold")


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in ("check", "update", "table"):
        sys.exit(__doc__)
    lacking = missing()
    if lacking:
        return say(f"SKIPPED: {lacking} is not installed")
    path = f"{PACKAGE}/Thresholds/requests-{toolchain()}.json"
    if sys.argv[1] == "check" and not os.path.exists(path):
        return say(f"SKIPPED: there is no {os.path.relpath(path)}")
    if sys.argv[1] == "table":
        table(measure(with_calls=True))
    elif sys.argv[1] == "check":
        with open(path, encoding="ascii") as file:
            thresholds = json.load(file)
        check(measure(thresholds=thresholds), thresholds)
    else:
        figures = measure()
        with open(path, "w", encoding="ascii") as file:
            json.dump(figures, file, indent=2)
            file.write("\n")
        say(f"wrote {os.path.relpath(path)}")
    return None


if __name__ == "__main__":
    main()
