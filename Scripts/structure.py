"""Checks the structure of Sources: dependency cycles, folders with one file, words of one system, and type names that
other packages have.

Each check takes a dictionary of sources, path to text without comments and strings unless it says otherwise, and yields
(path, line, message).
"""
import collections
import re

from swift_source import top_level_types

IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
# Words that only the C code of CSockeyeSystem may contain, in code, strings and comments.
TOP_LEVEL = {
    ".gitignore", ".spi.yml", ".swift-format", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "Package.swift",
    "README.md", "SECURITY.md",
}
ONE_SYSTEM = re.compile(r"Glibc|Darwin|Musl|errno|EPOLL|eventfd|/proc/|#(?:else)?if\s+.*\bos\(")
# Names that may equal a type of another package: {our type: the other package}.
ALLOWED = {"HTTPClient": "async-http-client"}


def target(path):
    return path.split("/")[1]


def folder(path):
    return path.rpartition("/")[0]


def arrows(sources):
    """Returns the files whose top-level types a file names, for each file, as {path: {path: name}}.

    Names that several files declare are omitted, because the text alone does not show which declaration is meant.
    """
    owners = collections.defaultdict(set)
    for path, code in sources.items():
        for _, access, name in top_level_types(code):
            if access not in ("private", "fileprivate"):
                owners[name].add(path)
    owner = {name: paths.pop() for name, paths in owners.items() if len(paths) == 1}
    found = {}
    for path, code in sources.items():
        names = sorted(owner.keys() & set(IDENTIFIER.findall(code)))
        found[path] = {owner[name]: name for name in names if owner[name] != path}
    return found


def circles_of(graph):
    """Returns the strongly connected components of two or more nodes (Tarjan's algorithm)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            members = stack[stack.index(node):]
            del stack[-len(members):]
            if len(members) > 1:
                found.append(sorted(members))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def circles(sources):
    """Yields references that are part of a dependency cycle between targets, or between folders of a target."""
    named = arrows(sources)
    for unit, noun in (target, "targets"), (folder, "folders"):
        graph, evidence = collections.defaultdict(set), {}
        for path, others in named.items():
            for other, name in others.items():
                if unit(path) != unit(other) and (unit is target or target(path) == target(other)):
                    graph[unit(path)].add(unit(other))
                    evidence.setdefault((unit(path), unit(other)), (path, name))
        for members in circles_of(graph):
            for (source, destination), (path, name) in sorted(evidence.items()):
                if source in members and destination in members:
                    line = line_of(sources[path], name)
                    yield path, line, f"{name} closes a dependency cycle of {noun}: {source} uses {destination}"


def line_of(code, name):
    return code.count("\n", 0, re.search(rf"\b{name}\b", code).start()) + 1


def lonely_files(sources):
    """Yields the files that are alone in their folder. The folder of a target may have one file."""
    count = collections.Counter(folder(path) for path in sources)
    for path in sorted(sources):
        if count[folder(path)] == 1 and path.count("/") > 2:
            yield path, 1, "the only Swift file of its folder; move it one level up"


def strangers(paths):
    """Yields the files at the top level that do not belong there, such as output of a compiler."""
    for path in sorted(paths):
        if "/" not in path and path not in TOP_LEVEL:
            yield path, 1, "no file of the top level; remove it, or add it to TOP_LEVEL in Scripts/structure.py"


def words_of_one_system(sources):
    """Yields lines outside of CSockeyeSystem with words that concern only one system. Takes the sources with comments
    and strings."""
    for path, source in sorted(sources.items()):
        for number, line in enumerate(source.split("\n"), 1):
            match = ONE_SYSTEM.search(line)
            if match:
                yield path, number, f"{match.group()} belongs to one system; only CSockeyeSystem may know it"


def parse_names(text):
    """Returns {name: packages} from the text of Scripts/others-names.txt."""
    lines = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return {words[0]: words[1:] for words in lines if words}


def taken_names(sources, others):
    """Yields public top-level types that would be ambiguous in a file that also imports another package."""
    for path, code in sorted(sources.items()):
        for line, access, name in top_level_types(code):
            if access not in ("public", "open"):
                continue
            allowed = ALLOWED.get(name)
            owners = [owner for owner in others.get(name, ()) if owner.rpartition("-")[0] != allowed]
            if owners:
                yield path, line, f"{name} is also a type of {', '.join(owners)}"
