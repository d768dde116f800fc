#!/usr/bin/env python3
"""Builds the documentation of all products as one site: build-docs.py [FOLDER; default .build/docs]

A user knows one module, Sockeye, which re-exports what its lower targets declare. Their symbols become pages of it: DocC by
itself would give each target a tree of its own that no article could link to. The other products follow, each with links into
those before it, and are merged into one site with one index.

Symbols are read from the modules of a debug build with all traits, which `make test` needs anyway, so that nothing is compiled
twice. Fails on any warning of DocC, and where AFNetworking.md names something that the index does not have.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


ROOT = pathlib.Path(__file__).resolve().parent.parent
SWIFT = os.environ.get("SWIFT", "swift")
BUILT = ROOT / ".build/debug"
# What `import Sockeye` brings along.
LOWER = ["SockeyeCore", "SockeyeSerialization", "SockeyeHTTP", "SockeyeNet", "SockeyeEngine"]
# In an order in which each may link to those before it.
PRODUCTS = [
    "Sockeye", "SockeyePropertyLists", "SockeyeArchiving", "SockeyeXML", "SockeyeImages", "SockeyeFoundation",
    "SockeyeWebSocket", "SockeyeDiskCache", "SockeyeTesting", "SockeyeObservability", "SockeyeService",
]


def output(*command):
    """What a command prints, where it succeeds."""
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(word) for word in command[:4])} … failed:\n{done.stdout}")
    return done.stdout


# MARK: Symbols


def flags():
    """What the compiler needs to read the built modules: their folder, the C modules below them, the system."""
    maps = [
        *ROOT.glob("Sources/C*/module.modulemap"), *BUILT.glob("*.build/module.modulemap"),
        *ROOT.glob(".build/checkouts/*/Sources/*/module.modulemap"),
        *ROOT.glob(".build/checkouts/*/Sources/*/include/module.modulemap"),
    ]
    triple = json.loads(output(SWIFT, "-print-target-info"))["target"]["unversionedTriple"]
    return [
        "-target", triple, "-I", BUILT / "Modules", "-module-cache-path", BUILT / "ModuleCache",
        *output("pkg-config", "--cflags-only-I", "libxml-2.0").split(),
        *(option for path in maps for option in ("-Xcc", f"-fmodule-map-file={path}")),
    ]


def extract(module, folder, extensions):
    """Writes the symbol graphs of a module; what it adds to types of others as `members` of these, or as `blocks`."""
    folder.mkdir(parents=True, exist_ok=True)
    form = {"members": "-omit-extension-block-symbols", "blocks": "-emit-extension-block-symbols"}[extensions]
    output(
        SWIFT, "symbolgraph-extract", "-module-name", module, "-minimum-access-level", "public", form,
        "-skip-synthesized-members", "-output-dir", folder, *FLAGS)


def write_graph(path, graphs, module):
    """One graph of several: each symbol once, as of one module."""
    symbols, relations = {}, {}
    for graph in graphs:
        for symbol in graph["symbols"]:
            if symbol.get("swiftExtension", {}).get("extendedModule") in LOWER:
                symbol["swiftExtension"]["extendedModule"] = "Sockeye"
            # DocC checks parameters in comments of the module itself alone.
            if "docComment" in symbol:
                symbol["docComment"]["module"] = module
            symbols.setdefault(symbol["identifier"]["precise"], symbol)
        for relation in graph["relationships"]:
            relations.setdefault((relation["kind"], relation["source"], relation["target"]), relation)
    first = graphs[0]
    merged = {
        "metadata": first["metadata"], "module": first["module"] | {"name": module},
        "symbols": list(symbols.values()), "relationships": list(relations.values()),
    }
    path.write_text(json.dumps(merged))


def load(paths):
    return [json.loads(path.read_text()) for path in paths if path.exists()]


def make_graphs(product, work):
    """The graphs that DocC reads for a product, in a folder of their own."""
    graphs, raw = work / product / "graphs", work / product / "raw"
    graphs.mkdir(parents=True)
    modules = [product] + (LOWER if product == "Sockeye" else [])
    for module in modules:
        extract(module, raw / "members", "members")
        extract(module, raw / "blocks", "blocks")
    own = [raw / "members" / f"{module}.symbols.json" for module in modules]
    own += [raw / "members" / f"{module}@{other}.symbols.json" for module in modules for other in modules]
    write_graph(graphs / f"{product}.symbols.json", load(own), product)
    # What is added to types of others: of the standard library, of a product below.
    added = {}
    for path in sorted((raw / "blocks").glob("*@*.json")):
        extended = path.name.split("@")[1].split(".")[0]
        if extended not in modules:
            added.setdefault("Sockeye" if extended in LOWER else extended, []).append(path)
    for extended, paths in added.items():
        write_graph(graphs / f"{product}@{extended}.symbols.json", load(paths), product)
    return graphs


# MARK: The index


def foreign_names():
    """What AFNetworking.md lists: the code in the first column of its tables, and classes that these name."""
    text = (ROOT / "Sources/Sockeye/Documentation.docc/AFNetworking.md").read_text()
    rows = re.findall(r"(?m)^\| (.+?) \| .* \| .* \|$", text)
    return sorted({name for row in rows for name in re.findall(r"`([^`]+)`", row)})


def add_names(site):
    """Lets the search of the site find the page by the names of AFNetworking: entries of the index that lead there."""
    file, page = site / "index/index.json", "/documentation/sockeye/afnetworking"
    index = json.loads(file.read_text())

    def find(nodes):
        for node in nodes:
            if node.get("path") == page:
                return node
            found = find(node.get("children", []))
            if found:
                return found
        return None

    node = find(index["interfaceLanguages"]["swift"])
    shown = (site / f"data{page}.json").read_text()
    missing = [name for name in foreign_names() if json.dumps(name, ensure_ascii=False)[1:-1] not in shown]
    if node is None or missing:
        sys.exit(f"the page for those who come from AFNetworking lacks {missing or 'everything'}")
    node["children"] = [{"path": page, "title": name, "type": "article"} for name in foreign_names()]
    file.write_text(json.dumps(index, ensure_ascii=False))


# MARK: Pages


def convert(product, work, archives):
    """Makes the pages of a product; the number of DocC's warnings, which it prints."""
    archive = work / f"{product}.doccarchive"
    command = [
        DOCC, "convert", ROOT / f"Sources/{product}/Documentation.docc",
        "--additional-symbol-graph-dir", make_graphs(product, work), "--output-path", archive,
        "--fallback-display-name", product, "--fallback-bundle-identifier", product,
        "--fallback-default-module-kind", "Library", "--default-code-listing-language", "swift",
        "--enable-experimental-external-link-support", "--ide-console-output",
        *(option for path in archives for option in ("--dependency", path)),
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    findings = [line for line in done.stdout.splitlines() if ": warning: " in line or ": error: " in line]
    print(done.stdout.replace(f"{ROOT}/", ""), end="")
    if done.returncode != 0 and not findings:
        sys.exit(f"docc failed for {product}")
    archives.append(archive)
    return len(findings)


def main():
    site = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 and sys.argv[1] else ROOT / ".build/docs").absolute()
    with tempfile.TemporaryDirectory() as folder:
        archives = []
        warnings = sum(convert(product, pathlib.Path(folder), archives) for product in PRODUCTS)
        if warnings:
            sys.exit(f"{warnings} warnings of DocC")
        shutil.rmtree(site, ignore_errors=True)
        site.parent.mkdir(parents=True, exist_ok=True)
        output(DOCC, "merge", *archives, "--synthesized-landing-page-name", "Sockeye", "--output-path", site)
        add_names(site)
    print(f"documentation: {site}")


DOCC = pathlib.Path(shutil.which(SWIFT) or SWIFT).resolve().parent / "docc"
FLAGS = flags()
main()
