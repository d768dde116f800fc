"""Checks that new enum cases and traits do not break callers of the public API.

Each check takes a dictionary of sources and yields (path, line, message).
"""
import re

from structure import target
from swift_source import MODIFIERS
from symbol_graphs import LOWER

# The modules that every dependent imports, whichever traits it enables.
ALWAYS_BUILT = {"Sockeye", "SockeyePlatform", *LOWER}
PUBLIC_ENUM = re.compile(rf"^[ \t]*{MODIFIERS}public\s+{MODIFIERS}enum\s+(?P<name>\w+)", re.M)
NEVER = re.compile(r"\bnever gains a case\b", re.I)
GROWING = re.compile(rf"@nonexhaustive\b(?!\()\s*{MODIFIERS}public\s+{MODIFIERS}enum\s+(?P<name>\w+)[^{{]*\{{")
PROBE = "sockeyeGrowthProbe"
TRAIT = re.compile(r'\.trait\(\s*name: "(\w+)"')
CONTAINER = re.compile(r"^(?P<words>[^{=(\"]*?)\b(?P<kind>struct|class|enum|actor|protocol|extension)\s+(?P<name>[A-Z]\w*)")
PUBLIC = re.compile(r"\b(?:public|open)\b(?!\s+(?:import|extension)\b)")
MEMBER = re.compile(r"\b(?:func|var|let|init|associatedtype|subscript)\b")
UNAVAILABLE = re.compile(r"(?:@available\(|^)\s*\*,\s*unavailable\b")
CASE = re.compile(r"^\s*(?:indirect\s+)?case\b")
DIRECTIVE = re.compile(r"^\s*#(if|elseif|else|endif)\b(.*)")


def undecided_enums(sources, codes):
    """Yields public enums with cases that are not `@nonexhaustive` and whose comment does not say that they never gain
    a case."""
    for path, code in sorted(codes.items()):
        lines = sources[path].split("\n")
        for match in PUBLIC_ENUM.finditer(code):
            line = code.count("\n", 0, match.start("name"))
            comment = comment_above(lines, line)
            if has_cases(code, match.end()) and "@nonexhaustive" not in match.group() + comment and not NEVER.search(comment):
                message = f"{match['name']} neither is @nonexhaustive nor says that it never gains a case"
                yield path, line + 1, message


def comment_above(lines, line):
    """Returns the comment and the attributes above a declaration, as one line of text."""
    start = line
    while start > 0 and re.match(r"\s*(///|@)", lines[start - 1]):
        start -= 1
    return " ".join(text.strip().removeprefix("///").strip() for text in lines[start:line])


def with_probes(source, code):
    """Returns the source with one more case in each enum that may grow, and the number of these enums.

    The case is added at the end, because an implicit raw value depends on the case before it.
    """
    ends = [closing(code, match.end() - 1) for match in GROWING.finditer(code)]
    for end in sorted(ends, reverse=True):
        source = f"{source[:end]}\ncase {PROBE}\n{source[end:]}"
    return source, len(ends)


def with_default(source, code, line):
    """Returns the source with a default in the `switch` that begins in a line, counted from 1; None if there is no
    `switch`."""
    start = sum(len(text) + 1 for text in code.split("\n")[: line - 1])
    match = re.compile(r"\bswitch\b").search(code, start, code.find("\n", start))
    depth = 0
    for position in range(match.end() if match else len(code), len(code)):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(code[position], 0)
        if code[position] == "{" and depth == 0:
            end = closing(code, position)
            return f"{source[:end]}\ndefault: fatalError()\n{source[end:]}"
    return None


def closing(code, opening):
    """Returns the position of the brace that closes the one at `opening`."""
    depth = 0
    for position in range(opening, len(code)):
        depth += {"{": 1, "}": -1}.get(code[position], 0)
        if depth == 0:
            return position
    raise ValueError("a brace is not closed")


def has_cases(code, position):
    """Returns True if the body that begins after `position` declares a case; cases of a `switch` are nested deeper."""
    depth = 0
    for text in code[position:].split("\n"):
        if depth == 1 and CASE.match(text) or depth == 0 and re.search(r"\{\s*(?:indirect\s+)?case\b", text):
            return True
        depth += text.count("{") - text.count("}")
        if depth <= 0 and "}" in text:
            return False
    return False


def traits(manifest):
    """Returns the names of the package's traits."""
    return set(TRAIT.findall(manifest))


class Block:
    """A `#if` with a trait in its condition, up to its `#endif`."""

    def __init__(self, condition, first):
        self.condition = condition.strip()
        self.whole = first  # True if the block is the whole file: no code precedes it, and none follows the `#endif`
        self.branch = 0
        self.end = None


class Declaration:
    """A line that declares something public inside of trait blocks, with these blocks and the enclosing containers,
    outermost first."""

    def __init__(self, line, blocks, containers, unavailable):
        self.line = line
        self.blocks = blocks
        self.branches = [block.branch for block in blocks]
        self.containers = containers
        self.unavailable = unavailable


class Container:
    """A body in braces. `kind` is None if it belongs to a function, a closure or a statement."""

    def __init__(self, kind=None, name=None, public=False, unavailable=False):
        self.kind, self.name, self.public, self.unavailable = kind, name, public, unavailable


def declarations(code, names):
    """Returns the public declarations inside of `#if` blocks whose conditions name traits."""
    conditions, containers, pending, unavailable, found = [], [], None, False, []
    first, last_code = True, 0
    for number, text in enumerate(code.split("\n"), 1):
        directive = DIRECTIVE.match(text)
        if directive:
            change(conditions, directive, names, first, number)
        if not text.strip():
            continue
        first, last_code = False, number
        if directive:
            continue
        unavailable = unavailable or bool(UNAVAILABLE.search(text))
        header = CONTAINER.match(text)
        blocks = [block for block in conditions if block]
        if declares(text, containers[-1] if containers else None):
            hidden = unavailable or any(one.unavailable for one in containers)
            if blocks:
                inside = [one for one in containers if one.kind]
                root = Container(header["kind"], header["name"]) if header and not inside else None
                found.append(Declaration(number, blocks, inside or [root], hidden))
        if header:
            pending = Container(header["kind"], header["name"], bool(re.search(r"\b(public|open)\b", header["words"])), unavailable)
        if header or MEMBER.search(text):
            unavailable = False
        for brace in re.findall(r"[{}]", text):
            if brace == "{":
                containers.append(pending or Container())
                pending = None
            elif containers:
                containers.pop()
    for one in found:
        for block in one.blocks:
            block.whole = block.whole and block.end == last_code
    return found


def change(conditions, directive, names, first, number):
    """Applies one directive: opens a block, begins its next branch or closes it. A block without a trait in its
    condition is None."""
    word, condition = directive.groups()
    named = names & set(re.findall(r"\w+", condition))
    if word == "if":
        conditions.append(Block(condition, first) if named else None)
    elif word == "endif":
        block = conditions.pop()
        if block:
            block.end = number
    elif conditions[-1]:
        conditions[-1].branch += 1
    elif named:
        conditions[-1] = Block(condition, False)


def declares(text, container):
    """Returns True if a line declares something public: by `public` or `open`, or as a member of a public container."""
    if PUBLIC.search(text):
        return True
    if not container or not container.public:
        return False
    if container.kind == "enum":
        return bool(CASE.match(text))
    return container.kind in ("protocol", "extension") and bool(MEMBER.search(text)) and "private" not in text


def trait_changes(codes, names):
    """Yields public declarations that a trait changes (SE-0450: traits only add).

    A trait may add new types in files that its `#if` wraps as a whole, without an `#else`. In products other than
    Sockeye, which dependents import explicitly, such files may also add members to existing types. Conformances are
    ignored, and so are unavailable declarations, because no caller uses them.
    """
    found = {path: declarations(code, names) for path, code in sorted(codes.items())}
    own = {
        (target(path), one.containers[0].name)
        for path, some in found.items() for one in some
        if one.blocks[0].whole and one.containers[0] and one.containers[0].kind != "extension"
    }
    for path, some in found.items():
        for one in some:
            reason = None if one.unavailable else objection(one, path, own)
            if reason:
                yield path, one.line, f"a trait must not change a public declaration: {reason} (#if {one.blocks[-1].condition})"


def objection(one, path, own):
    """Returns the reason why a trait may not add a declaration; None if it may."""
    block, root = one.blocks[0], one.containers[0]
    if len(one.blocks) > 1 or not block.whole:
        return "the #if covers a part of a file, but a trait may only add whole files"
    if one.branches[0] > 0 or "!" in block.condition:
        return "it exists only without the trait"
    is_own = root is not None and (root.kind != "extension" or (target(path), root.name) in own)
    if target(path) in ALWAYS_BUILT and not is_own:
        return "it adds to a type that exists without the trait"
    return None
