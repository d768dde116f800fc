"""Rules for the prose of comments and Markdown that a machine can check: the length of lines and sentences, pronouns
without a noun, openings of documentation comments, and backticked names that do not exist.
"""
import re

MAX_LINE = 120
MAX_WORDS = 35
MAX_OPENINGS = 2
FORBIDDEN = re.compile(r"\b(whoever|whom|nobody|somebody|everybody|(?:is|are|was|were) none)\b", re.I)
OPENING = re.compile(r"(What|Whether|How|Where|Why|Who)\b")
COMMENT = {
    "swift": re.compile(r"\s*(///|//)(?!/)\s?(.*)"),
    "c": re.compile(r"\s*(///|//|/\*\*?|\*(?!/))\s?(.*)"),
    "py": re.compile(r"\s*(#)(?!!)\s?(.*)"),
    "sh": re.compile(r"\s*(#)(?!!)\s?(.*)"),
}
COMMENT["h"] = COMMENT["c"]
CODE = re.compile(r"``[^`]*``|`[^`]*`|\[[^\]]*\]\([^)]*\)|<https?://[^>]*>|https?://\S+")
ITEM = re.compile(r"(?:[-*+]|\d+\.)\s|>|\||#|@|MARK|- ?(?:Parameter|Returns|Throws)")
SENTENCE = re.compile(r"(?<=[.!?:;])\s+|\s+[-–—]\s+")
NAME = re.compile(r"`([A-Za-z_]\w*)(?:\([\w:]*\))?`")
# A name of a single word may be anything: a command, a header field, a keyword.
HUMPS = re.compile(r"[a-z0-9][A-Z]|[a-z]_[a-z]")


class Line:
    """A line of prose: its number, its text without the marks of a comment, and whether it opens a documentation
    comment."""

    def __init__(self, number, text, opens=False, width=0):
        self.number, self.text, self.opens, self.width = number, text, opens, width


def lines(path, source):
    """Yields the lines of prose of a file; an empty text ends a paragraph."""
    kind = path.rsplit(".", 1)[-1]
    fenced, previous = False, ""
    for number, line in enumerate(source.split("\n"), 1):
        if kind == "md":
            text = line.strip()
            fenced ^= text.startswith("```")
            yield Line(number, "" if fenced or text.startswith("```") else text)
            continue
        match = COMMENT[kind].match(line)
        mark = match[1] if match else ""
        text = match[2].strip() if match else ""
        if mark == "///":
            fenced = (fenced and previous == "///") ^ text.startswith("```")
        inside = mark == "///" and (fenced or text.startswith("```"))
        yield Line(number, "" if inside else text, mark == "///" and previous != "///", len(line) if mark else 0)
        previous = mark


def paragraphs(prose):
    """Yields (number of the first line, text) of each paragraph and list item. Tables, headings and text in aligned
    columns are left out."""
    first, words = 0, []
    for line in prose:
        if words and (not line.text or ITEM.match(line.text)):
            yield first, " ".join(words)
            words = []
        if line.text and not re.match(r"\||#|@|<!--|.*\S   +\S", line.text):
            first = first if words else line.number
            words.append(line.text)
    if words:
        yield first, " ".join(words)


def findings(path, source):
    """Yields (line, message) of each rule that the prose of a file breaks."""
    prose = list(lines(path, source))
    openings = []
    for line in prose:
        if line.width > MAX_LINE:
            yield line.number, f"a comment of {line.width} columns, at most {MAX_LINE}"
        for match in FORBIDDEN.finditer(CODE.sub("x", line.text)):
            yield line.number, f"“{match[1]}” names no actor and no thing"
        if line.opens and OPENING.match(line.text):
            openings.append(line.number)
    if len(openings) > MAX_OPENINGS:
        yield openings[MAX_OPENINGS], (
            f"{len(openings)} documentation comments open with What, Whether, How, Where, Why or Who, at most {MAX_OPENINGS}")
    for number, text in paragraphs(prose):
        for sentence in SENTENCE.split(CODE.sub("x", text)):
            count = len(re.findall(r"[A-Za-z][\w'’-]*", sentence))
            if count > MAX_WORDS:
                yield number, f"a sentence of {count} words, at most {MAX_WORDS}: “{sentence[:60]}…”"


def names(path, source):
    """Yields (line, name) of each backticked name of several words in the prose of a file."""
    for line in lines(path, source):
        for match in NAME.finditer(line.text):
            if HUMPS.search(match[1]):
                yield line.number, match[1]


def foreign_names(text):
    """The patterns of a list of other libraries' names: one per line, `*` for any further letters, # for comments."""
    names = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return re.compile("|".join(re.escape(name).replace(r"\*", r"\w*") for name in names) or r"(?!)")


def unknown_names(sources, code, foreign):
    """Yields (path, line, message) of backticked names that neither the code nor the list of other libraries' names
    has."""
    known = set(re.findall(r"[A-Za-z_]\w*", code))
    for path, source in sources.items():
        for number, name in names(path, source):
            if name not in known and not foreign.fullmatch(name):
                yield path, number, f"`{name}` does not exist"
