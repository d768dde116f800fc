"""Functions of Scripts/build-docs.py that transform symbol graphs and the site's index, without file access."""
import re

# The modules that Sockeye re-exports; users import only Sockeye.
LOWER = ("SockeyeCore", "SockeyeSerialization", "SockeyeHTTP", "SockeyeNet", "SockeyeEngine")


def merged(graphs, module):
    """Merges graphs into one with each symbol and each relation once, as if one module had declared them."""
    symbols, relations = {}, {}
    for graph in graphs:
        for symbol in graph["symbols"]:
            if symbol.get("swiftExtension", {}).get("extendedModule") in LOWER:
                symbol["swiftExtension"]["extendedModule"] = "Sockeye"
            # DocC checks parameters only in comments of the module itself.
            if "docComment" in symbol:
                symbol["docComment"]["module"] = module
            symbols.setdefault(symbol["identifier"]["precise"], symbol)
        for relation in graph["relationships"]:
            relations.setdefault((relation["kind"], relation["source"], relation["target"]), relation)
    return {
        "metadata": graphs[0]["metadata"], "module": graphs[0]["module"] | {"name": module},
        "symbols": list(symbols.values()), "relationships": list(relations.values()),
    }


def extended_module(file_name):
    """Returns the module whose types a graph extends, from its file name `A@B.symbols.json`; None for
    `A.symbols.json`."""
    _, _, extended = file_name.removesuffix(".symbols.json").partition("@")
    return ("Sockeye" if extended in LOWER else extended) or None


def foreign_names(article):
    """Returns the code spans in the first column of an article's tables, which are names of another library."""
    rows = re.findall(r"(?m)^\| (.+?) \| .* \| .* \|$", article)
    return sorted({name for row in rows for name in re.findall(r"`([^`]+)`", row)})


# Before Swift 6.3, DocC does not find types that another product re-exports, nor functions that differ only in closure
# types.
UNFOUND = re.compile(r"doesn't exist at '/\w+/Sockeye\b|isn't a disambiguation for ")


def documentation_findings(text, finds_all):
    """Returns the lines of DocC's output that are warnings or errors. If `finds_all` is false, without those about
    links that an older DocC does not find."""
    lines = [line for line in text.splitlines() if ": warning: " in line.lower() or "error: " in line.lower()]
    return [line for line in lines if finds_all or not UNFOUND.search(line)]


def node(nodes, path):
    """Returns the node of an index with a path, at any depth; None if there is none."""
    for one in nodes:
        found = one if one.get("path") == path else node(one.get("children", []), path)
        if found:
            return found
    return None


def dead_links(pages):
    """Yields (page, target) of links to missing pages. References to the standard library have no URL and are no
    links."""
    for path, page in pages.items():
        for reference in page.get("references", {}).values():
            target = reference.get("url", "").partition("#")[0]
            if reference.get("type") == "topic" and target not in pages:
                yield path, target
