"""What documents say that tests hold, and what tests say that they drive. Used by check-sources.py."""
import re

from swift_source import top_level_types

REFERENCE = re.compile(r"`([^`]+)`")
TEST = re.compile(r"(\w+Tests)(?:\.(\w+))?\Z")
FUZZ = re.compile(r"make fuzz TARGET=(\w+)\Z")
TARGET = re.compile(r'^\s*"(\w+)":\s*\w+\.\w+,', re.M)
NAMED_FIELD = re.compile(r'FieldName \{ "([^"]+)" \}')
# A test may have a type of this name: the mutex that ThreadSanitizer understands, in every target that locks.
SHARED_NAMES = {"Mutex"}


def rows(document):
    """Yields (line, cells) of each row of the tables whose last column is `held by`."""
    inside = False
    for number, line in enumerate(document.split("\n"), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if cells and cells[-1] == "held by":
            inside = True
        elif not cells:
            inside = False
        elif inside and not set(line) <= set("|-: "):
            yield number, cells


def functions(sources):
    """{suite: names of its functions}, of all files that declare or extend it."""
    found = {}
    for source in sources.values():
        names = set(re.findall(r"\bfunc (\w+)", source))
        for suite in set(re.findall(r"\b(?:struct|class|enum|actor|extension) (\w+)", source)):
            found.setdefault(suite, set()).update(names)
    return found


def unheld(path, document, sources, targets):
    """Promises without a test, and tests that do not exist.

    `Suite.function` is a test, `Suite` all tests of it, `make fuzz TARGET=name` a fuzz target, and anything else that begins with
    `make` or `.ci` a command.
    """
    known, count = functions(sources), 0
    for number, cells in rows(document):
        references = REFERENCE.findall(cells[-1])
        count += 1
        if not references:
            yield path, number, "a promise without a test"
        for reference in references:
            test, fuzz = TEST.match(reference), FUZZ.match(reference)
            suite, function = test.groups() if test else (None, None)
            if test and (suite not in known or function and function not in known[suite]):
                yield path, number, f"there is no test {reference}"
            if fuzz and fuzz.group(1) not in targets:
                yield path, number, f"there is no fuzz target {fuzz.group(1)}"
            if not test and not reference.startswith(("make ", ".ci")):
                yield path, number, f"{reference} is neither a test nor a command"
    if count == 0:
        yield path, 1, "no table of promises with a column 'held by'"


def fuzz_targets(source):
    """The names of FuzzTargets.swift."""
    return set(TARGET.findall(source))


def missing_words(path, dictionary, names):
    """Field names of the library that the fuzzer's dictionary lacks."""
    for name in sorted(set(NAMED_FIELD.findall(names))):
        if f'"{name}: "' not in dictionary:
            yield path, 1, f"the field name {name} is missing"


def copies(tests, library):
    """Types of tests with the name of a type of the library: a test that drives a copy proves nothing about the library."""
    owners = {}
    for path, code in library.items():
        for _, access, name in top_level_types(code):
            if access not in ("private", "fileprivate"):
                owners[name] = path
    for path, code in sorted(tests.items()):
        for line, access, name in top_level_types(code):
            if name in owners and name not in SHARED_NAMES:
                yield path, line, f"{name} is also a type of {owners[name]}: a test must drive that one, or be named differently"
