"""Checks that code spans in documentation tables occur in a compiled file. Used by check-sources.py."""
import re

from swift_source import without_text

ROW = re.compile(r"\| (.+?) \| (.*) \| (.*) \|\Z")
SPAN = re.compile(r"(``?)(.+?)\1")
TOKEN = re.compile(r"\w+|[^\w\s]")
ARGUMENTS = re.compile(r"[(-].*\Z")


def tokens(code):
    """Returns Swift code without comments and string literals, as one text with a space around each token."""
    return f" {' '.join(TOKEN.findall(without_text(code)))} "


def spans(cell):
    """Yields the code spans of a cell: Swift code as it is, and the last name of a DocC link such as `A/b(_:)`."""
    for ticks, text in SPAN.findall(cell):
        yield ARGUMENTS.sub("", text.split("/")[-1]) if len(ticks) == 2 else text


def uncompiled_spans(path, article, compiled):
    """Yields the code spans in the second column of tables with three columns that do not occur in `compiled`."""
    known, count = tokens(compiled), 0
    for number, line in enumerate(article.split("\n"), 1):
        row = ROW.match(line)
        for span in spans(row.group(2)) if row else ():
            count += 1
            if tokens(span) not in known:
                yield path, number, f"{span} does not occur in the compiled file of the article"
    if count == 0:
        yield path, 1, "no table with code in its second column"
