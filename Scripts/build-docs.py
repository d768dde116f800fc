#!/usr/bin/env python3
"""Builds the documentation of all products as one site: build-docs.py [FOLDER; default .build/docs]

A user knows one module, Sockeye, which re-exports what its lower targets declare. Their symbols become pages of it: DocC by
itself would give each target a tree of its own that no article could link to. The other products follow, each with links into
those before it, and are merged into one site with one index, which also has the names that AFNetworking.md explains.

Fails on any warning of DocC, on a link that leads nowhere, and on a name of AFNetworking.md that its page lacks.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from built_modules import PRODUCTS, ROOT, SWIFT, compiler_flags, compiler_version, extract, output
from symbol_graphs import LOWER, dead_links, extended_module, foreign_names, merged, node

AFNETWORKING = "/documentation/sockeye/afnetworking"


def docc():
    """DocC of the toolchain that `swift` is of."""
    beside = pathlib.Path(shutil.which(SWIFT) or SWIFT).resolve().parent / "docc"
    return beside if beside.exists() else "docc"


def make_graphs(product, work, flags):
    """The graphs that DocC reads for a product, in a folder of their own."""
    graphs, members, blocks = (work / product / name for name in ("graphs", "members", "blocks"))
    graphs.mkdir(parents=True)
    modules = [product, *(LOWER if product == "Sockeye" else ())]
    for module in modules:
        extract(module, members, "members", flags)
        extract(module, blocks, "blocks", flags)
    own = [f"{module}.symbols.json" for module in modules]
    own += [f"{module}@{other}.symbols.json" for module in modules for other in modules]
    files = {f"{product}.symbols.json": [members / name for name in own if (members / name).exists()]}
    for path in sorted(blocks.glob("*@*.json")):
        extended = extended_module(path.name)
        if extended != product:
            files.setdefault(f"{product}@{extended}.symbols.json", []).append(path)
    for name, paths in files.items():
        (graphs / name).write_text(json.dumps(merged([json.loads(path.read_text()) for path in paths], product)))
    return graphs


def convert(product, work, archives, flags):
    """Makes the pages of a product; returns how many findings DocC had, which it prints."""
    archive = work / f"{product}.doccarchive"
    command = [
        docc(), "convert", ROOT / f"Sources/{product}/Documentation.docc",
        "--additional-symbol-graph-dir", make_graphs(product, work, flags), "--output-path", archive,
        "--fallback-display-name", product, "--fallback-bundle-identifier", product,
        "--fallback-default-module-kind", "Library", "--default-code-listing-language", "swift",
        "--enable-experimental-external-link-support", "--ide-console-output",
        *(option for path in archives for option in ("--dependency", path)),
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout.replace(f"{ROOT}/", ""), end="")
    findings = sum(": warning: " in line or "error: " in line for line in done.stdout.lower().splitlines())
    if done.returncode != 0 and findings == 0:
        sys.exit(f"docc failed for {product}")
    archives.append(archive)
    return findings


def add_foreign_names(site):
    """Lets the search find the page of AFNetworking by each name that it explains: entries of the index that lead there."""
    names = foreign_names((ROOT / "Sources/Sockeye/Documentation.docc/AFNetworking.md").read_text())
    shown = (site / f"data{AFNETWORKING}.json").read_text()
    missing = [name for name in names if json.dumps(name, ensure_ascii=False)[1:-1] not in shown]
    file = site / "index/index.json"
    index = json.loads(file.read_text())
    page = node(index["interfaceLanguages"]["swift"], AFNETWORKING)
    if missing or not names or page is None:
        sys.exit(f"the page for those who come from AFNetworking lacks {missing or 'its place in the index'}")
    page["children"] = [{"path": AFNETWORKING, "title": name, "type": "article"} for name in names]
    file.write_text(json.dumps(index, ensure_ascii=False))
    return len(names)


def main():
    site = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/docs").absolute()
    with tempfile.TemporaryDirectory() as folder:
        archives, flags = [], compiler_flags()
        findings = sum(convert(product, pathlib.Path(folder), archives, flags) for product in PRODUCTS)
        if findings and compiler_version() >= (6, 3):
            sys.exit(f"{findings} warnings of DocC")
        if findings:
            # Before 6.3 DocC finds no type that another product re-exports, nor functions told apart by their closures.
            print(f"{findings} warnings of DocC, which are errors with Swift 6.3: links NOT CHECKED")
            return
        shutil.rmtree(site, ignore_errors=True)
        site.parent.mkdir(parents=True, exist_ok=True)
        output(docc(), "merge", *archives, "--synthesized-landing-page-name", "Sockeye", "--output-path", site)
    data = site / "data"
    pages = {f"/{path.relative_to(data).with_suffix('')}": json.loads(path.read_text()) for path in data.rglob("*.json")}
    dead = sorted(set(dead_links(pages)))
    if dead:
        sys.exit("\n".join(f"{page}: no page {target}" for page, target in dead))
    print(f"{len(pages)} pages, {add_foreign_names(site)} names of AFNetworking in the index: {site}")


main()
