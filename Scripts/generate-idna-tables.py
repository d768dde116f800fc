#!/usr/bin/env python3
"""Writes the Unicode tables of the URL parser's IDNA processing as packed Swift literals.

usage: generate-idna-tables.py [FILE]      (default: Sources/SockeyeHTTP/URL/IDNA/IDNAData.swift)

Run it only for a new Unicode version; builds need only its output. It takes the data from two PyPI packages, which must
have the same Unicode version: `idna` (UTS 46 mapping, joining types) and `unicodedata2` (bidi classes, combining
classes, categories, decompositions). For Unicode 17: pip install idna==3.13 unicodedata2==17.0.1

All three tables are streams of unsigned LEB128 numbers in base64, which `LEB128Reader` reads. The functions below that
write them describe the formats.
"""
import base64
import collections
import sys

import idna.idnadata
import idna.uts46data
import unicodedata2 as ucd

MAXIMUM = 0x110000
BIDI = {"L": 1, "R": 2, "AL": 3, "AN": 4, "EN": 5, "NSM": 6, "ES": 7, "CS": 7, "ET": 7, "ON": 7, "BN": 7}
JOINING = {"L": 1, "R": 2, "D": 3, "T": 4}
VALID, DISALLOWED, IGNORED, SHIFTED, ALTERNATING, REPLACED = range(6)


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(value):
    return varint(value * 2 if value >= 0 else -value * 2 - 1)


def called(data):
    return data() if callable(data) else data


def statuses():
    """Returns the status letter and the replacement of each code point in UTS 46 without transitional processing."""
    rows = called(idna.uts46data.uts46data)
    table = []
    for row, following in zip(rows, rows[1:] + ((MAXIMUM, "X"),)):
        status, text = row[1], row[2] if len(row) > 2 else None
        for point in range(row[0], following[0]):
            if status == "D":
                table.append(("V", None))
            # A mapping that equals the NFC form needs no row. The NFC check of a decoded label still refuses the code
            # point.
            elif status == "M" and text == ucd.normalize("NFC", chr(point)):
                table.append(("V", None))
            else:
                table.append((status, text))
    return table


def mapping_stream():
    """Returns runs that cover all code points: length * 8 + kind, then for SHIFTED the distance, zigzag; for
    ALTERNATING nothing (every second code point maps to its successor, which is valid); for REPLACED (length 1) the
    number of replacing code points, and each of them."""
    table, out, point = statuses(), bytearray(), 0
    shift = lambda p: ord(table[p][1]) - p if table[p][0] == "M" and len(table[p][1]) == 1 else None
    while point < MAXIMUM:
        status, text = table[point]
        end = point + 1
        if status in "VXI":
            while end < MAXIMUM and table[end][0] == status:
                end += 1
            out += varint((end - point) * 8 + "VXI".index(status))
        elif shift(point) is None:
            out += varint(8 + REPLACED) + varint(len(text)) + b"".join(varint(ord(c)) for c in text)
        elif shift(point) == 1 and table[end][0] == "V":
            while end + 2 < MAXIMUM and shift(end + 1) == 1 and table[end + 2][0] == "V":
                end += 2
            end += 1
            out += varint((end - point) * 8 + ALTERNATING)
        else:
            while end < MAXIMUM and shift(end) == shift(point):
                end += 1
            out += varint((end - point) * 8 + SHIFTED) + zigzag(shift(point))
        point = end
    return bytes(out)


def property_stream():
    """Returns the number of distinct values, the values (combining class, bidi class << 8, joining type << 11, mark <<
    14), then runs that cover all code points: length, index of the value."""
    joining = called(idna.idnadata.joining_types)

    def value(point):
        char = chr(point)
        kind = JOINING.get(chr(joining.get(point, 0x55)), 0)
        mark = ucd.category(char).startswith("M")
        return ucd.combining(char) | BIDI.get(ucd.bidirectional(char), 0) << 8 | kind << 11 | mark << 14

    values = [value(point) for point in range(MAXIMUM)]
    counts = collections.Counter(values)
    distinct = sorted(set(values), key=lambda v: (-counts[v], v))
    out = bytearray(varint(len(distinct)) + b"".join(varint(v) for v in distinct))
    start = 0
    for point in range(1, MAXIMUM + 1):
        if point == MAXIMUM or values[point] != values[start]:
            out += varint(point - start) + varint(distinct.index(values[start]))
            start = point
    return bytes(out)


def decomposition_stream():
    """Returns the canonical decompositions without Hangul. Each is the distance from the last decomposed code point * 4
    + kind (0: one code point; 1: two, never composed again; 2: two, composed), then the first code point as the zigzag
    distance from the decomposed one, and the second code point, if any."""
    out, last = bytearray(), 0
    for point in range(MAXIMUM):
        text = ucd.decomposition(chr(point))
        if not text or text.startswith("<"):
            continue
        parts = [int(part, 16) for part in text.split()]
        composed = ucd.normalize("NFC", chr(point)) == chr(point)
        assert len(parts) == 2 or not composed
        out += varint((point - last) * 4 + (0 if len(parts) == 1 else 2 if composed else 1)) + zigzag(parts[0] - point)
        out += b"".join(varint(part) for part in parts[1:])
        last = point
    return bytes(out)


def table(name, what, stream):
    text = base64.b64encode(stream).decode()
    lines = [text[i : i + 112] for i in range(0, len(text), 112)]
    print(f"{name}: {len(stream)} bytes, {len(lines)} lines")
    body = "".join(f"        {line}\n" for line in lines)
    return f'/// {what}\nenum {name} {{\n    static let packed: StaticString = """\n{body}        """\n}}\n'


def main():
    assert idna.uts46data.__version__ == idna.idnadata.__version__ == ucd.unidata_version, "different Unicode versions"
    path = sys.argv[1] if len(sys.argv) > 1 else "Sources/SockeyeHTTP/URL/IDNA/IDNAData.swift"
    tables = [
        table("MappingData", "The UTS 46 mapping of each code point; read by `CodePointMapping`.", mapping_stream()),
        table("PropertyData", "Classes of each code point; read by `CodePointProperties`.", property_stream()),
        table("DecompositionData", "Canonical decompositions; read by `CanonicalForm`.", decomposition_stream()),
    ]
    version = f"from Unicode {ucd.unidata_version} data; not to be edited."
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"// Generated by Scripts/generate-idna-tables.py {version}\n\n" + "\n".join(tables))


main()
