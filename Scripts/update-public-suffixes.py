#!/usr/bin/env python3
"""Writes the public suffix list as sorted text in Swift literals, which is searched where it lies.

usage: update-public-suffixes.py [FILE [VERSION]]

FILE is the list as published; by default the one of Debian's package `publicsuffix`. VERSION is what the sources say
the list is of, for a copy that does not say so itself. Run it from the root of the repository; builds need nothing but
its output.

Rules of both sections, ICANN's and the private one, as A-labels in lower case, sorted by their bytes, blanks or line
ends between them. Comments go. A rule that only the private section has is followed by a plus sign: whoever registers
names below it are strangers to each other either way, but only the registries' own suffixes (ICANN's section) are such
that no certificate may have a wildcard there.
"""
import glob
import os
import re
import sys
import unicodedata

DEBIAN = "/usr/share/publicsuffix/public_suffix_list.dat"
FOLDER = "Sources/SockeyeHTTP/Semantics/Cookies/PublicSuffixes/Data"
LINE, LINES = 108, 360
LICENCE = """\
// Written by Scripts/update-public-suffixes.py; not to be edited.
//
// From the Public Suffix List, https://publicsuffix.org/list/, version {version}.
// This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0. If a copy of the MPL was not
// distributed with this file, You can obtain one at https://mozilla.org/MPL/2.0/.
"""


def a_label(label):
    label = unicodedata.normalize("NFC", label).lower()
    return label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii")


def rules(text):
    found, private = {}, False
    for line in text.splitlines():
        private = private or "===BEGIN PRIVATE DOMAINS===" in line
        if not line.strip() or line.startswith("//"):
            continue
        rule = line.split()[0]
        mark = "!" if rule.startswith("!") else ""
        rule = mark + ".".join(a_label(label) for label in rule[len(mark) :].split("."))
        # A wildcard is the leftmost label of all rules there are, which the look-up relies on.
        if not re.fullmatch(r"(!|\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*", rule):
            sys.exit(f"a rule of a form that is not known: {line}")
        found[rule] = found.get(rule, True) and private
    names = sorted(found, key=lambda rule: rule.encode("ascii"))
    return [name + "+" if found[name] else name for name in names]


def version(text, name):
    """The list's own VERSION comment; a repository's copy has none."""
    found = re.search(r"^// VERSION: (\S+)", text, re.MULTILINE)
    return found.group(1) if found else f"of {name} with {len(text.splitlines())} lines"


def lines(rules):
    """Rules in lines as long as they may be."""
    line = ""
    for rule in rules:
        if line and len(line) + 1 + len(rule) > LINE:
            yield line
            line = ""
        line = f"{line} {rule}" if line else rule
    yield line


def write(path, header, body):
    with open(path, "w", encoding="utf-8") as file:
        file.write(header + "\n" + body)


def main():
    source = sys.argv[1] if len(sys.argv) > 1 else DEBIAN
    if not os.path.exists(source):
        sys.exit(f"there is no {source}: install the package publicsuffix, or name the list")
    with open(source, encoding="utf-8") as file:
        text = file.read()
    every = rules(text)
    if len(every) < 5000:
        sys.exit(f"{source} has {len(every)} rules, which is not the whole list")
    header = LICENCE.format(version=sys.argv[2] if len(sys.argv) > 2 else version(text, os.path.basename(source)))
    os.makedirs(FOLDER, exist_ok=True)
    for old in glob.glob(os.path.join(FOLDER, "PublicSuffixData*.swift")):
        os.remove(old)
    body = list(lines(every))
    parts = [body[start : start + LINES] for start in range(0, len(body), LINES)]
    for number, part in enumerate(parts, 1):
        content = "".join(f"        {line}\n" for line in part)
        write(
            os.path.join(FOLDER, f"PublicSuffixData{number}.swift"),
            header,
            f"/// Rules from `{part[0].split()[0].rstrip('+')}` to `{part[-1].split()[-1].rstrip('+')}`.\n"
            f"enum PublicSuffixData{number} {{\n"
            f'    static let rules: StaticString = """\n{content}        """\n}}\n',
        )
    cases = "".join(f"        case {i}: PublicSuffixData{i + 1}.rules\n" for i in range(len(parts) - 1))
    write(
        os.path.join(FOLDER, "PublicSuffixData.swift"),
        header,
        f"/// All {len(every)} rules, in parts that follow one another; read by `PublicSuffixList`.\n"
        f"enum PublicSuffixData {{\n    static let partCount = {len(parts)}\n\n"
        f"    /// A part by its number, from 0.\n    static func part(_ number: Int) -> StaticString {{\n"
        f"        switch number {{\n{cases}        default: PublicSuffixData{len(parts)}.rules\n        }}\n    }}\n}}\n",
    )
    print(f"{len(every)} rules, {sum(map(len, body))} bytes, {len(parts)} parts")


main()
