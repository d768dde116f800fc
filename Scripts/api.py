#!/usr/bin/env python3
"""Compares the public declarations of all products with the committed ones: api.py check|update

Scripts/api has a file for each product, with one declaration per line. Declarations of lower targets belong to the
product Sockeye, which re-exports them. The declarations are read from a debug build with all traits.
"""
import json
import pathlib
import sys
import tempfile

from built_modules import PRODUCTS, ROOT, compiler_flags, extract_all
from public_api import declarations, differences, merged, type_names
from symbol_graphs import LOWER

FOLDER = ROOT / "Scripts/api"
ADVICE = """
The public declarations differ from those in Scripts/api. A line with a minus is a declaration that callers may use. Removing or
changing it breaks them, and so does a new requirement without a default. CONTRIBUTING.md explains changes that do not break callers.
If the change is intended, run `make api` and commit the changed files with it."""


def read():
    """Returns {product: its declarations}."""
    flags, graphs = compiler_flags(), {}
    with tempfile.TemporaryDirectory() as work:
        folders = {product: pathlib.Path(work) / product for product in PRODUCTS}
        modules = [(product, product) for product in PRODUCTS] + [(module, "Sockeye") for module in LOWER]
        extract_all([(module, folders[product], "members") for module, product in modules], flags)
        for product, folder in folders.items():
            graphs[product] = [json.loads(path.read_text()) for path in sorted(folder.iterdir())]
    names = type_names(graph for product in graphs.values() for graph in product)
    return {product: declarations(found, names) for product, found in graphs.items()}


def committed(product):
    path = FOLDER / f"{product}.txt"
    return path.read_text().splitlines() if path.exists() else []


def update(current):
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.txt"):
        if path.stem not in current:
            path.unlink()
    for product, lines in current.items():
        lines = merged(committed(product), lines)
        (FOLDER / f"{product}.txt").write_text("".join(f"{line}\n" for line in lines))


def check(current):
    """Prints the differences, and returns True if there are none."""
    found = 0
    for product in sorted({*current, *(path.stem for path in FOLDER.glob("*.txt"))}):
        lines = differences(committed(product), current.get(product, []))
        found += len(lines)
        if lines:
            print(f"Scripts/api/{product}.txt:", *lines, sep="\n")
    return found == 0


def main():
    if sys.argv[1:] not in (["check"], ["update"]):
        sys.exit(__doc__)
    current = read()
    count = f"{sum(len(lines) for lines in current.values())} public declarations of {len(current)} products"
    if sys.argv[1] == "update":
        update(current)
    elif not check(current):
        sys.exit(ADVICE)
    print(count)


main()
