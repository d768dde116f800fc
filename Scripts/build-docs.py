#!/usr/bin/env python3
"""Builds the documentation of all products as one site: build-docs.py [FOLDER; default .build/docs]

Users import one module, Sockeye, which re-exports the declarations of its lower targets. Their symbols become pages of
Sockeye; otherwise DocC would make a separate tree of pages for each target, which articles cannot link to. The other
products follow, each with links to the products before it. All are merged into one site with one index, which also
contains the names that AFNetworking.md explains and the search words of the recipes. The landing page is that of
landing_page.py, and code blocks have a size that lets 80 columns fit into a window of 1,280 pixels.

Fails on any warning of DocC, on a link without a page, on a name of AFNetworking.md that its page does not contain, and
on a query of search-queries.txt that the site's search does not lead to its page.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from built_modules import PRODUCTS, ROOT, SWIFT, compiler_flags, compiler_version, extract_all, output
from landing_page import landing_page, missing_products
from site_search import parse_queries, search_words, unfound
from symbol_graphs import LOWER, dead_links, documentation_findings, extended_module, foreign_names, merged, node

AFNETWORKING = "/documentation/sockeye/afnetworking"
CATALOG = ROOT / "Sources/Sockeye/Documentation.docc"
QUERIES = ROOT / "Scripts/search-queries.txt"

# A code block is 690 pixels wide beside the navigator. At DocC's 15 pixels 76 columns fit, at 14 pixels 81.
# A long declaration is wrapped.
STYLE = ".code-listing pre>code{font-size:.8235rem!important}pre.source{white-space:pre-wrap!important}"
# The first page of the site is the documentation.
FIRST_PAGE = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=documentation/">\n'


def docc():
    """Returns the path of DocC in the toolchain of `swift`."""
    beside = pathlib.Path(shutil.which(SWIFT) or SWIFT).resolve().parent / "docc"
    return beside if beside.exists() else "docc"


def make_graphs(product, work, flags):
    """Writes the graphs that DocC reads for a product, and returns their folder."""
    graphs, members, blocks = (work / product / name for name in ("graphs", "members", "blocks"))
    graphs.mkdir(parents=True)
    modules = [product, *(LOWER if product == "Sockeye" else ())]
    folders = {"members": members, "blocks": blocks}
    extract_all([(module, folder, form) for module in modules for form, folder in folders.items()], flags)
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


def added_entries(nodes, pages):
    """Adds entries for the names that the page AFNetworking explains and for the search words of the recipes to an
    index, so that searching for one finds the page. Returns their number."""
    names = foreign_names((CATALOG / "AFNetworking.md").read_text())
    words = {AFNETWORKING: names}
    for article in sorted((CATALOG / "Recipes").glob("*.md")):
        words[f"/documentation/sockeye/{article.stem.lower()}"] = search_words(article.read_text())
    shown = json.dumps(pages[AFNETWORKING], ensure_ascii=False)
    missing = [name for name in names if json.dumps(name, ensure_ascii=False)[1:-1] not in shown]
    missing += [path for path, titles in words.items() if not titles or node(nodes, path) is None]
    if missing:
        sys.exit(f"pages without search words or without a place in the index, and names that AFNetworking lacks: {missing}")
    for path, titles in words.items():
        node(nodes, path)["children"] = [{"path": path, "title": title, "type": "article"} for title in titles]
    return sum(len(titles) for titles in words.values())


def finish(site):
    """Completes the merged site: its landing page, its index and its style. Fails on dead links and queries that find
    nothing."""
    data = site / "data"
    pages = {f"/{path.relative_to(data).with_suffix('')}": json.loads(path.read_text()) for path in data.rglob("*.json")}
    pages["/documentation"] = landing_page(pages["/documentation"], pages)
    (data / "documentation.json").write_text(json.dumps(pages["/documentation"], ensure_ascii=False))
    (site / "index.html").write_text(FIRST_PAGE)
    for path in (site / "css").glob("documentation-topic.*.css"):
        path.write_text(path.read_text() + STYLE)
    index = json.loads((site / "index/index.json").read_text())
    nodes = index["interfaceLanguages"]["swift"]
    count = added_entries(nodes, pages)
    (site / "index/index.json").write_text(json.dumps(index, ensure_ascii=False))
    queries = parse_queries(QUERIES.read_text())
    findings = [f"{page}: no page {target}" for page, target in sorted(set(dead_links(pages)))]
    findings += [f"landing_page.py: no group has {product}" for product in missing_products(PRODUCTS)]
    findings += [f"Scripts/search-queries.txt:{line}: error: {message}" for line, message in unfound(queries, nodes)]
    if findings:
        sys.exit("\n".join(findings))
    print(f"{len(pages)} pages, {count} search words in the index, {len(queries)} queries find their page: {site}")


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
            print("links between products NOT CHECKED and plain text, because DocC finds them from Swift 6.3 on only")
        shutil.rmtree(site, ignore_errors=True)
        site.parent.mkdir(parents=True, exist_ok=True)
        output(docc(), "merge", *archives, "--synthesized-landing-page-name", "Sockeye", "--output-path", site)
    finish(site)


main()
