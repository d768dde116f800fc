"""Checks that the code of articles is compiled: code spans in tables, and code blocks. Used by check-sources.py."""
import re

from snippets import code_blocks
from swift_source import without_text

ROW = re.compile(r"\| (.+?) \| (.*) \| (.*) \|\Z")
SPAN = re.compile(r"(``?)(.+?)\1")
TOKEN = re.compile(r"\w+|[^\w\s]")
ARGUMENTS = re.compile(r"[(-].*\Z")
MANIFEST = re.compile(r"// Package\.swift|\.(?:package|product)\(")


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


def packed(code):
    """Returns Swift code without white space and without the lines that are comments."""
    return "".join("".join(line.split()) for line in code.split("\n") if not line.lstrip().startswith("//"))


def uncompiled_blocks(path, article, files):
    """Yields the Swift blocks of an article for which no file has all lines. `files` contains the packed code of the
    compiled files. Blocks of a manifest are left out."""
    for first, language, block in code_blocks(path, article):
        if language != "swift" or block and MANIFEST.match(block[0]):
            continue
        lines = [(number, packed(line)) for number, line in enumerate(block, first) if packed(line)]
        if any(all(line in code for _, line in lines) for code in files):
            continue
        closest = max(files, key=lambda code: sum(line in code for _, line in lines), default="")
        number = next(number for number, line in lines if line not in closest)
        yield path, number, "a line of a code block that is not compiled together with the block's other lines"
