"""Swift sources as text: lists the files, removes comments and string literals, and finds the declared types."""
import re
import subprocess

LITERAL = re.compile(r'//[^\n]*|/\*.*?\*/|(#*)""".*?"""\1|(#*)"(?:\\.|[^"\\\n])*"\2', re.DOTALL)
MODIFIERS = r"(?:(?:@\w+(?:\([^)\n]*\))?|final|indirect|nonisolated(?:\(\w+\))?|distributed)\s+)*"
DECLARATION = re.compile(
    rf"^[ \t]*{MODIFIERS}(?:(?P<access>public|open|package|internal|fileprivate|private)\s+)?{MODIFIERS}"
    r"(?P<kind>struct|class|enum|actor|protocol|typealias)\s+`?(?P<name>\w+)",
    re.MULTILINE,
)
BRACE = re.compile(r"[{}]")


def tracked(root, *patterns):
    """Returns the files that git tracks or would track, so that build folders never count."""
    command = ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    return sorted(set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()))


def without_text(source):
    """Replaces comments and string literals by spaces; line numbers do not change."""
    return LITERAL.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), source)


def top_level_types(code):
    """Yields (line, access, name) of each top-level type; `code` has no comments or strings."""
    depth, position, line = 0, 0, 1
    for match in DECLARATION.finditer(code):
        for brace in BRACE.findall(code, position, match.start()):
            depth += 1 if brace == "{" else -1
        line += code.count("\n", position, match.start("name"))
        position = match.start("name")
        if depth == 0:
            yield line, match.group("access") or "internal", match.group("name")
