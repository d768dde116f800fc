#!/usr/bin/env python3
"""Prints the tables of frontier.sh: medians of the turns, and ratios of turns in the same round.

usage: frontier.py FOLDER

The folder contains `samples` (lines with a scenario, a flavour and the client's JSON), and `calls` if that scenario
ran.
"""
import json
import os
import statistics
import sys


def read_samples(path):
    """Returns the turns of each scenario by flavour, in order."""
    scenarios = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                scenario, flavour, text = line.split(" ", 2)
                scenarios.setdefault(scenario, {}).setdefault(flavour, []).append(json.loads(text))
    return scenarios


def cpu(sample):
    return (sample["user"] + sample["system"]) / sample["units"]


def rate(sample):
    return sample["units"] / sample["seconds"]


def is_quiet(sample):
    """Returns True if other processes used less than a tenth of the two cores; the kernel counts in ticks of 10 ms."""
    others = sample["busy"] - sample["user"] - sample["system"] - sample["server"]
    return others < 0.1 * 2 * sample["seconds"] + 0.02


def quiet(turns):
    """Returns the undisturbed turns; all turns if fewer than three are undisturbed."""
    kept = [turn for turn in turns if is_quiet(turn)]
    return kept if len(kept) >= 3 else turns


def ratios(mine, base, figure):
    """Returns the median and quartiles of the base's figure divided by that of `mine`, round by round, as text."""
    pairs = list(zip(mine, base))
    kept = [pair for pair in pairs if all(map(is_quiet, pair))]
    values = [figure(theirs) / figure(ours) for ours, theirs in (kept if len(kept) >= 3 else pairs)]
    middle = statistics.median(values)
    if len(values) < 4:
        return f"{middle:.2f}"
    low, _, high = statistics.quantiles(values, n=4)
    return f"{middle:.2f} ({low:.2f}–{high:.2f})"


def row(turns, unit, cpu_unit):
    """Returns the rate, CPU time, its user and system part, the server's time, and the numbers of calls and events."""
    turns = quiet(turns)
    middle = statistics.median(map(cpu, turns)) * cpu_unit
    # The shares are over all turns together, because the kernel separates user and system time by ticks.
    user = sum(turn["user"] for turn in turns) / sum(turn["user"] + turn["system"] for turn in turns)
    server = statistics.median(turn["server"] / turn["units"] for turn in turns) * cpu_unit
    count = lambda key: statistics.median(turn[key] / turn["units"] for turn in turns) * unit
    parts = middle, middle * user, middle * (1 - user), server
    return statistics.median(map(rate, turns)), *parts, count("calls"), count("completions")


def print_requests(scenario, flavours):
    print(f"\n**{scenario}**\n")
    print("| client | requests/s | CPU µs/request | user, system | server µs | calls | events "
          "| CPU: times better than epoll-look | CPU: times better than epoll "
          "| rate: multiple of epoll-look's | rate: multiple of epoll's |")
    print("| --- |" + " ---: |" * 10)
    look, plain = flavours["epoll-look"], flavours["epoll"]
    for flavour, turns in flavours.items():
        speed, total, user, system, server, calls, events = row(turns, 1, 1e6)
        by_rate = lambda sample: 1 / rate(sample)
        print(f"| {flavour} | {speed:,.0f} | {total:.2f} | {user:.2f}, {system:.2f} | {server:.2f} | {calls:.2f} | {events:.2f} "
              f"| {ratios(turns, look, cpu)} | {ratios(turns, plain, cpu)} "
              f"| {ratios(turns, look, by_rate)} | {ratios(turns, plain, by_rate)} |")


def print_transfers(scenario, flavours):
    base = "epoll-mark" if "epoll-mark" in flavours else "epoll"
    print(f"\n**{scenario}**\n")
    print("| client | GB/s | CPU s/GB | user, system | server s/GB | calls/GB | completions/GB "
          f"| CPU: times better than {base} | rate: multiple of {base}'s |")
    print("| --- |" + " ---: |" * 8)
    for flavour, turns in flavours.items():
        speed, total, user, system, server, calls, events = row(turns, 1e9, 1e9)
        by_rate = lambda sample: 1 / rate(sample)
        print(f"| {flavour} | {speed / 1e9:.2f} | {total:.3f} | {user:.3f}, {system:.3f} | {server:.3f} "
              f"| {calls:,.0f} | {events:,.0f} "
              f"| {ratios(turns, flavours[base], cpu)} | {ratios(turns, flavours[base], by_rate)} |")


def main():
    folder = sys.argv[1]
    calls = os.path.join(folder, "calls")
    if os.path.exists(calls):
        with open(calls, encoding="utf-8") as file:
            print("\n| call without an effect | ns |\n| --- | ---: |")
            for name, value in json.load(file).items():
                print(f"| {name} | {value} |")
    scenarios = read_samples(os.path.join(folder, "samples"))
    turns = [turn for flavours in scenarios.values() for of_flavour in flavours.values() for turn in of_flavour]
    if turns:
        print(f"{len(turns) - sum(map(is_quiet, turns))} of {len(turns)} turns were disturbed by other processes and omitted.")
    for scenario, flavours in scenarios.items():
        (print_transfers if scenario.startswith(("download", "upload")) else print_requests)(scenario, flavours)


if __name__ == "__main__":
    main()
