"""The two searches of a site that DocC makes, as its page does them in the browser. Used by build-docs.py.

The filter of the navigator (DocC-Render's NavigatorCard) shows the entries with a title that contains the query without
regard to case and spaces. The quick search (QuickNavigationModal, the key /) removes the spaces of the query and finds
the titles that contain its letters in order. A match may be at most three times as long as the query. The best 20 are
shown: the tightest matches first, then those that begin earlier, then shorter titles.
"""
import re

SHOWN = 20
MAX_STRETCH = 3


def entries(nodes):
    """Yields (path, title) of each entry of an index, at any depth. Headings of groups have no path and are left
    out."""
    for node in nodes:
        if node.get("type") != "groupMarker" and node.get("title"):
            yield node.get("path", ""), node["title"]
        yield from entries(node.get("children", []))


def filtered(query, listed):
    """Returns the paths of the entries that the navigator shows for a query, in their order."""
    letters = [re.escape(letter) for letter in query if letter != " "]
    pattern = re.compile(r"\s*".join(letters), re.I)
    return [path for path, title in listed if pattern.search(title)]


def quick(query, listed):
    """Returns the paths that the quick search shows for a query, best first."""
    letters = re.sub(r"\s", "", query)
    parts = [f"[{re.escape(letter)}]" for letter in letters]
    gaps = [f"[^{re.escape(letter.lower())}]*?" for letter in letters[:-1]] + [""]
    pattern = re.compile("".join(part + gap for part, gap in zip(parts, gaps)), re.I)
    found = {}
    for path, title in listed:
        match = pattern.search(title)
        if match and len(match[0]) <= MAX_STRETCH * len(letters):
            # As in the browser: if a path has several entries, it keeps the place of the first and the rank of the
            # last.
            found[path] = (len(match[0]) - len(letters), match.start(), len(title) - len(letters))
    return sorted(found, key=found.get)[:SHOWN]


def search_words(article):
    """Returns the words of the line `Search words: a, b, c.` of an article, which become entries of the index."""
    line = re.search(r"(?ms)^Search words: (.+?)\.$", article)
    return [word.strip().strip("`") for word in line[1].replace("\n", " ").split(",")] if line else []


def parse_queries(text):
    """Returns (line, query, path) of each line `query → path` of the table of queries."""
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            query, _, path = line.partition("→")
            rows.append((number, query.strip(), path.strip()))
    return rows


def unfound(rows, nodes):
    """Yields (line, message) of each query that the filter or the quick search does not lead to its page."""
    listed = list(entries(nodes))
    for number, query, path in rows:
        if path not in filtered(query, listed):
            yield number, f"the navigator's filter does not show {path} for “{query}”"
        if path not in quick(query, listed):
            yield number, f"the quick search does not show {path} among its first {SHOWN} for “{query}”"
