#!/usr/bin/env python3
"""Sums up the statistics that the compiler wrote to -stats-output-dir, by modules: build-time.py FOLDER"""

import collections
import json
import pathlib
import re
import sys

PHASES = {"SIL": "SIL optimization", "LLVM": "LLVM pipeline", "type checker": "perform-sema"}
rows = collections.defaultdict(lambda: collections.defaultdict(float))
for path in pathlib.Path(sys.argv[1]).glob("stats-*-swift-frontend-*.json"):
    module = re.match(r"stats-\d+-swift-frontend-(\w+)-", path.name)[1]
    try:
        figures = json.loads(path.read_text())
    except json.JSONDecodeError:  # an interrupted compiler wrote it
        continue
    rows[module]["all"] += sum(
        value for name, value in figures.items() if name.startswith("time.swift-frontend.") and name.endswith(".user")
    )
    for title, name in PHASES.items():
        rows[module][title] += figures.get(f"time.swift.{name}.user", 0)

print("| module | all | " + " | ".join(PHASES) + " |")
print("|---|---:|" + "---:|" * len(PHASES))
for module, row in sorted(rows.items(), key=lambda item: -item[1]["all"]):
    print(f"| {module} | {row['all']:.1f} | " + " | ".join(f"{row[title]:.1f}" for title in PHASES) + " |")
total = {title: sum(row[title] for row in rows.values()) for title in ["all", *PHASES]}
print(f"| together | {total['all']:.1f} | " + " | ".join(f"{total[title]:.1f}" for title in PHASES) + " |")
