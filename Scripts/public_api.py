"""Makes lines of text from the public declarations in symbol graphs, and compares two lists of them. Used by api.py.

A line is the path of the enclosing declaration, a colon and the declaration as the compiler prints it:

    Proxy: enum Kind: Hashable, Sendable
    Proxy.Kind: case http

Types list the protocols they conform to. A requirement of a protocol begins with `requirement`, or
`requirement with default`.
"""
import difflib

TYPES = {"swift.struct", "swift.class", "swift.enum", "swift.protocol"}
# Protocols that every type conforms to, or that another conformance implies.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype"}
# Members that a conformance implies; their declaration never differs.
FIXED = {
    "Comparable.<(_:_:)", "CustomDebugStringConvertible.debugDescription", "CustomReflectable.customMirror",
    "CustomStringConvertible.description", "Decodable.init(from:)", "Encodable.encode(to:)", "Equatable.==(_:_:)",
    "Hashable.hash(into:)", "Hashable.hashValue",
}
RELATIONS = {"sameType": "==", "conformance": ":", "superclass": ":", "sameShape": "~="}


def declarations(graphs, names):
    """Returns the lines of one product, sorted. `names` maps the identifiers of the types of all products to their
    names."""
    symbols = {symbol["identifier"]["precise"]: symbol for graph in graphs for symbol in graph["symbols"]}
    relations = [relation for graph in graphs for relation in graph["relationships"]]
    notes, omitted = requirements(symbols, relations)
    omitted |= {one["source"] for one in relations if one.get("sourceOrigin", {}).get("displayName") in FIXED}
    inline, separate = conformances(symbols, relations, names)
    lines = set(separate)
    for identifier, symbol in symbols.items():
        if identifier not in omitted:
            path = symbol["pathComponents"]
            line = owner(symbol) + notes.get(identifier, "") + declaration(symbol)
            if inline.get(identifier):
                line += ": " + ", ".join(sorted(inline[identifier]))
            lines.add((tuple(path), False, line))
    return [line for _, _, line in sorted(lines)]


def type_names(graphs):
    """Returns {identifier: name} of every type that graphs declare or name."""
    names = {}
    for graph in graphs:
        for one in graph["relationships"]:
            if one["kind"] in ("memberOf", "conformsTo") and "targetFallback" in one:
                names[one["target"]] = one["targetFallback"].partition(".")[2]
        for symbol in graph["symbols"]:
            if symbol["kind"]["identifier"] in TYPES:
                names[symbol["identifier"]["precise"]] = ".".join(symbol["pathComponents"])
    return names


def requirements(symbols, relations):
    """Returns {requirement: note}, and the default implementations, which get no line because a note stands for them.

    An implementation under further conditions, or in another protocol, gets its own line.
    """
    required = {one["source"] for one in relations if one["kind"] == "requirementOf"}
    implementations = {}
    for one in relations:
        symbol = symbols.get(one["source"])
        if one["kind"] == "defaultImplementationOf" and one["target"] in required and symbol:
            same_owner = symbol["pathComponents"] == symbols[one["target"]]["pathComponents"]
            if same_owner and not symbol.get("swiftExtension", {}).get("constraints"):
                implementations[one["source"]] = one["target"]
    defaulted = set(implementations.values())
    notes = {one: "requirement with default " if one in defaulted else "requirement " for one in required}
    return notes, set(implementations)


def conformances(symbols, relations, names):
    """Returns {type of the product: protocols}, and (path, True, line) of each conformance with conditions or of a
    foreign type."""
    inline, separate = {}, set()
    for one in relations:
        if one["kind"] != "conformsTo":
            continue
        protocol = names.get(one["target"], one["target"])
        if protocol in IMPLIED:
            continue
        condition = constraints(one.get("swiftConstraints", []))
        if one["source"] in symbols and not condition:
            inline.setdefault(one["source"], set()).add(protocol)
        else:
            name = names.get(one["source"], one["source"])
            separate.add((tuple(name.split(".")), True, f"extension {name}: {protocol}{condition}"))
    return inline, separate


def constraints(found):
    """Returns ` where …` with sorted constraints; empty if all constraints are implied."""
    told = {
        f"{one['lhs']} {RELATIONS.get(one['kind'], one['kind'])} {one['rhs']}" for one in found if one["rhs"] not in IMPLIED
    }
    return " where " + ", ".join(sorted(told)) if told else ""


def owner(symbol):
    """Returns the path of the enclosing declaration with its conditions and a colon; empty at the top level."""
    path = ".".join(symbol["pathComponents"][:-1])
    return f"{path}{constraints(symbol.get('swiftExtension', {}).get('constraints', []))}: " if path else ""


def declaration(symbol):
    """Returns a declaration in one line, with labels and attributes that the compiler does not print."""
    text = " ".join("".join(fragment["spelling"] for fragment in symbol["declarationFragments"]).split())
    if symbol["kind"]["identifier"].endswith("subscript"):  # printed without the labels that callers write
        text = text.replace("subscript", symbol["pathComponents"][-1], 1)
    for availability in symbol.get("availability", []):
        for key, word in ("isUnconditionallyDeprecated", "deprecated"), ("isUnconditionallyUnavailable", "unavailable"):
            if availability.get(key):
                text = f"@available(*, {word}) {text}"
    return f"open {text}" if symbol.get("accessLevel") == "open" else text


def comparable(line):
    """Returns the line without differences between compilers: 6.2 omits `@Sendable` and puts `@escaping` first."""
    return line.replace("@Sendable ", "").replace("nonisolated(nonsending) @escaping", "@escaping nonisolated(nonsending)")


def differences(old, new):
    """Returns the lines that were removed and added, each with its sign, in the order of the lists."""
    found = difflib.unified_diff([*map(comparable, old)], [*map(comparable, new)], n=0, lineterm="")
    return [line for line in list(found)[2:] if not line.startswith("@@")]


def merged(old, new):
    """Returns the new lines; a line that equals an old one except for the compiler's spelling keeps the old
    spelling."""
    spelling = {comparable(line): line for line in old}
    return [spelling.get(comparable(line), line) for line in new]
