"""Checks that the tests named in SECURITY.md and Tests/RULES.md exist, and that tests drive the library's types. Used
by check-sources.py."""
import re

from swift_source import top_level_types

REFERENCE = re.compile(r"`([^`]+)`")
TEST = re.compile(r"(\w+Tests)(?:\.(\w+))?\Z")
FUZZ = re.compile(r"make fuzz TARGET=(\w+)\Z")
TARGET = re.compile(r'^\s*"(\w+)":\s*\w+\.\w+,?$', re.M)
TEST_FUNCTION = re.compile(r"@Test\b(?:(?!\bfunc\b).)*\bfunc (\w+)", re.S)
NAMED_FIELD = re.compile(r'Headers\.Name \{ "([^"]+)" \}')
# Tests may have a type of this name: the mutex that ThreadSanitizer understands, which each target with locks declares.
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


def test_functions(sources):
    """Returns {suite: names of its tests}, from all files that declare or extend the suite."""
    found = {}
    for source in sources.values():
        names = set(TEST_FUNCTION.findall(source))
        for suite in set(re.findall(r"\b(?:struct|class|enum|actor|extension) (\w+)", source)):
            found.setdefault(suite, set()).update(names)
    return found


def unheld(path, document, sources, targets):
    """Yields promises without a test, and tests that do not exist.

    `Suite.function` is a test, `Suite` stands for all its tests, `make fuzz TARGET=name` is a fuzz target, and any
    other text that begins with `make` or `.ci` is a command.
    """
    known, count = test_functions(sources), 0
    for number, cells in rows(document):
        references = REFERENCE.findall(cells[-1])
        count += 1
        if not references:
            yield path, number, "a promise without a test"
        for reference in references:
            test, fuzz = TEST.match(reference), FUZZ.match(reference)
            suite, function = test.groups() if test else (None, None)
            if test and (not known.get(suite) or function and function not in known[suite]):
                yield path, number, f"there is no test {reference}"
            if fuzz and fuzz.group(1) not in targets:
                yield path, number, f"there is no fuzz target {fuzz.group(1)}"
            if not test and not reference.startswith(("make ", ".ci")):
                yield path, number, f"{reference} is neither a test nor a command"
    if count == 0:
        yield path, 1, "no table of promises with a column 'held by'"


def fuzz_targets(source):
    """Returns the names of the fuzz targets in FuzzTargets.swift."""
    return set(TARGET.findall(source))


def missing_words(path, dictionary, names):
    """Yields field names of the library that the fuzzer's dictionary lacks."""
    fields = sorted(set(NAMED_FIELD.findall(names)))
    if not fields:
        yield path, 1, "no field name of the library was found to compare with"
    for name in fields:
        if f'"{name}: "' not in dictionary:
            yield path, 1, f"the field name {name} is missing"


def copies(tests, library):
    """Yields types of tests with the name of a library type, because a test of a copy does not test the
    library."""
    owners = {}
    for path, code in library.items():
        for _, access, name in top_level_types(code):
            if access not in ("private", "fileprivate"):
                owners[name] = path
    for path, code in sorted(tests.items()):
        for line, access, name in top_level_types(code):
            if name in owners and name not in SHARED_NAMES:
                yield path, line, f"{name} is also a type of {owners[name]}; use that type in the test, or rename this one"
