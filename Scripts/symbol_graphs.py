"""What Scripts/build-docs.py does to symbol graphs and to the site's index, as values without files."""
import re

# What `import Sockeye` brings along: a user knows one module.
LOWER = ("SockeyeCore", "SockeyeSerialization", "SockeyeHTTP", "SockeyeNet", "SockeyeEngine")


def merged(graphs, module):
    """One graph of several: each symbol and each relation once, as if one module had declared them."""
    symbols, relations = {}, {}
    for graph in graphs:
        for symbol in graph["symbols"]:
            if symbol.get("swiftExtension", {}).get("extendedModule") in LOWER:
                symbol["swiftExtension"]["extendedModule"] = "Sockeye"
            # DocC checks the parameters in comments of the module itself alone.
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
    """The module whose types a graph extends, as its file is named: `A@B.symbols.json`; nil for `A.symbols.json`."""
    _, _, extended = file_name.removesuffix(".symbols.json").partition("@")
    return ("Sockeye" if extended in LOWER else extended) or None


def foreign_names(article):
    """What the first column of an article's tables has as code: names of another library."""
    rows = re.findall(r"(?m)^\| (.+?) \| .* \| .* \|$", article)
    return sorted({name for row in rows for name in re.findall(r"`([^`]+)`", row)})


def node(nodes, path):
    """The node of an index with a path, at any depth; nil without one."""
    for one in nodes:
        found = one if one.get("path") == path else node(one.get("children", []), path)
        if found:
            return found
    return None


def dead_links(pages):
    """Links of a site's pages, by path, that lead to no page. What the standard library declares has none, and no address."""
    for path, page in pages.items():
        for reference in page.get("references", {}).values():
            target = reference.get("url", "").partition("#")[0]
            if reference.get("type") == "topic" and target not in pages:
                yield path, target
