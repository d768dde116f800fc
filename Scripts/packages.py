"""Commands that install packages of Python."""
import re

SHELL = re.compile(r"""^[^#\n]*\bpip3?["']?[ ]+install\b""", re.M)
# A list of arguments. A text such as `pip install x` is advice to a reader.
PYTHON = re.compile(r"""\bpip3?["'],\s*["']install\b""")


def unpinned(path, source):
    """Yields each `pip install` without hashes: a package that changed in the registry would run unnoticed."""
    for command in (PYTHON if path.endswith(".py") else SHELL).finditer(source):
        # Up to the end of the command: a line without a backslash, or the closing bracket of the list.
        end = re.compile(r"\]" if path.endswith(".py") else r"[^\\]$", re.M).search(source, command.end())
        if "--require-hashes" not in source[command.start():end.end() if end else len(source)]:
            yield path, source.count("\n", 0, command.start()) + 1, "pip installs packages without --require-hashes"
