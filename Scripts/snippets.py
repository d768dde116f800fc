"""Rules for the code blocks of the documentation: they fit into the width of its pages, comments stand above the line,
and all name the same address of the package. Used by check-sources.py.

A page of the documentation shows 80 columns; longer lines are cut off until the reader scrolls.
"""
import re

MAX_COLUMNS = 80
PACKAGE = '.package(url: "https://example.com/sockeye.git", branch: "main"'
STRING = re.compile(r'"(?:\\.|[^"\\])*"')
FENCE = re.compile(r"\s*```(\w*)")


def code_blocks(path, source):
    """Yields (first line, language, lines) of each code block of an article, and of each Swift block of the
    documentation comments of a Swift file."""
    is_article = path.endswith(".md")
    block, language, first = None, "", 0
    for number, line in enumerate(source.split("\n"), 1):
        if not is_article:
            comment = re.match(r"\s*/// ?(.*)", line)
            if not comment:
                block = None
                continue
            line = comment[1]
        fence = FENCE.match(line)
        if fence and block is None:
            block, language, first = [], fence[1], number + 1
        elif fence:
            if is_article or language == "swift":
                yield first, language, block
            block = None
        elif block is not None:
            block.append(line)


def comment_follows_code(line):
    """Returns true if a Swift comment stands behind code on the same line."""
    return re.search(r"\S\s+//(\s|$)", STRING.sub('""', line)) is not None


def findings(path, source):
    """Yields (line, message) of each line of a code block that breaks a rule."""
    for first, language, block in code_blocks(path, source):
        for number, line in enumerate(block, first):
            if len(line) > MAX_COLUMNS:
                yield number, f"{len(line)} columns in a code block, at most {MAX_COLUMNS}"
            if language == "swift" and comment_follows_code(line):
                yield number, "a comment behind code; it belongs above the line"
        text = re.sub(r"\(\s+", "(", re.sub(r"\s+", " ", "\n".join(block)))
        for address in re.findall(r'\.package\((?:url|path): "[^"]*sockeye[^"]*"[^,)]*(?:, branch: "[^"]*")?', text):
            if address != PACKAGE:
                yield first, f"{address} is not {PACKAGE}, the one address of the package"


def is_read(path):
    """Returns true for the files whose code blocks readers of the documentation see."""
    return path == "README.md" or path.startswith("Sources/") and path.endswith((".md", ".swift"))
