#!/usr/bin/env python3
"""Builds the documentation of all products as one site: build-docs.py [FOLDER; default .build/docs]

Users import one module, Sockeye, which re-exports the declarations of its lower targets. Their symbols become pages of
Sockeye; otherwise DocC would make a separate tree of pages for each target, which articles cannot link to. The other
products follow, each with links to the products before it. All are merged into one site with one index, which also
contains the names that AFNetworking.md explains.

Fails on any warning of DocC, on a link without a page, and on a name of AFNetworking.md that its page does not contain.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from built_modules import PRODUCTS, ROOT, SWIFT, compiler_flags, compiler_version, extract, output
from symbol_graphs import LOWER, dead_links, documentation_findings, extended_module, foreign_names, merged, node

AFNETWORKING = "/documentation/sockeye/afnetworking"


def docc():
    """Returns the path of DocC in the toolchain of `swift`."""
    beside = pathlib.Path(shutil.which(SWIFT) or SWIFT).resolve().parent / "docc"
    return beside if beside.exists() else "docc"


def make_graphs(product, work, flags):
    """Writes the graphs that DocC reads for a product, and returns their folder."""
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


def convert(product, work, archives, flags, finds_all):
    """Makes the pages of a product, prints DocC's output and returns the lines that are findings."""
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
    findings = documentation_findings(done.stdout, finds_all)
    if done.returncode != 0 and not documentation_findings(done.stdout, True):
        sys.exit(f"docc failed for {product}")
    archives.append(archive)
    return findings


def add_foreign_names(site):
    """Adds index entries for each name that the page AFNetworking explains, so that searching for it finds the page."""
    names = foreign_names((ROOT / "Sources/Sockeye/Documentation.docc/AFNetworking.md").read_text())
    shown = (site / f"data{AFNETWORKING}.json").read_text()
    missing = [name for name in names if json.dumps(name, ensure_ascii=False)[1:-1] not in shown]
    file = site / "index/index.json"
    index = json.loads(file.read_text())
    page = node(index["interfaceLanguages"]["swift"], AFNETWORKING)
    if missing or not names or page is None:
        sys.exit(f"the page AFNetworking lacks {missing or 'its place in the index'}")
    page["children"] = [{"path": AFNETWORKING, "title": name, "type": "article"} for name in names]
    file.write_text(json.dumps(index, ensure_ascii=False))
    return len(names)


def main():
    site = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/docs").absolute()
    with tempfile.TemporaryDirectory() as folder:
        archives, flags = [], compiler_flags()
        finds_all = compiler_version() >= (6, 3)
        findings = [
            line for product in PRODUCTS for line in convert(product, pathlib.Path(folder), archives, flags, finds_all)]
        if findings:
            sys.exit("\n".join([*findings, f"{len(findings)} warnings of DocC"]))
        if not finds_all:
            print("links between products NOT CHECKED, because DocC finds them from Swift 6.3 on only; no site is made")
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
