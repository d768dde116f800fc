#!/usr/bin/env python3
"""Writes the single-byte encodings of the WHATWG Encoding standard as one packed Swift literal.

usage: generate-single-byte-tables.py [FILE]
       (default: Sources/SockeyeHTTP/Semantics/Text/SingleByteData.swift)

The standard does not change them any more, so nobody should have to run this again. The facts come from the codecs of
Python's standard library, which were made from the mapping files of the Unicode Consortium, with what the standard has
otherwise: bytes below 0xA0 that a mapping lacks stand for the control of that number, and the letters in `OTHERWISE`.

The table is a stream of unsigned LEB128 numbers in base64, which `SingleByteTable` reads: for each encoding, in the
order below, runs that together make the 128 code points of the bytes from 0x80 on. A run starts with twice its length;
one more if no byte of it means anything. Else there follows its first code point, less the one that would have
continued the run before (0x80 at the start), folded so that the small ones of either sign are short.
"""
import base64
import sys
import textwrap

NAMES = """IBM866 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 ISO-8859-10 ISO-8859-13
ISO-8859-14 ISO-8859-15 ISO-8859-16 KOI8-R KOI8-U macintosh windows-874 windows-1250 windows-1251 windows-1252
windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 x-mac-cyrillic""".split()
PYTHON = {"macintosh": "mac_roman", "windows-874": "cp874", "x-mac-cyrillic": "mac_cyrillic"}
OTHERWISE = {"KOI8-U": {0xAE: 0x45E, 0xBE: 0x40E}, "windows-1255": {0xCA: 0x5BA}}


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(value):
    return varint(value * 2 if value >= 0 else -value * 2 - 1)


def code_point(name, byte):
    """What a byte stands for, None if for nothing."""
    if byte in OTHERWISE.get(name, {}):
        return OTHERWISE[name][byte]
    try:
        return ord(bytes([byte]).decode(PYTHON.get(name, name)))
    except UnicodeDecodeError:
        return byte if byte < 0xA0 else None


def packed(name):
    points = [code_point(name, byte) for byte in range(0x80, 0x100)]
    stream = bytearray()
    expected = 0x80
    start = 0
    while start < len(points):
        end = start + 1
        if points[start] is None:
            while end < len(points) and points[end] is None:
                end += 1
            stream += varint((end - start) * 2 + 1)
        else:
            while end < len(points) and points[end] == points[start] + end - start:
                end += 1
            stream += varint((end - start) * 2) + zigzag(points[start] - expected)
            expected = points[start] + end - start
        start = end
    return bytes(stream)


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "Sources/SockeyeHTTP/Semantics/Text/SingleByteData.swift"
    text = base64.b64encode(b"".join(packed(name) for name in NAMES)).decode()
    lines = "\n".join("        " + line for line in textwrap.wrap(text, 112))
    names = "\n".join("        " + line for line in textwrap.wrap(" ".join(NAMES), 112, break_on_hyphens=False))
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            f"""// Written by Scripts/generate-single-byte-tables.py from the mappings of the Unicode Consortium; not to be edited.

/// What the upper half of each single-byte encoding stands for; read by `SingleByteTable`.
enum SingleByteData {{
    /// The encodings, in their order in ``packed``.
    static let names: StaticString = \"\"\"
{names}
        \"\"\"

    static let packed: StaticString = \"\"\"
{lines}
        \"\"\"
}}
"""
        )


if __name__ == "__main__":
    main()
