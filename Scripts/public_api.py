"""Public declarations as lines of text, made from symbol graphs, and how two lists of them differ. Used by api.py.

A line is the path of the enclosing declaration, a colon and the declaration as the compiler prints it:

    Proxy: enum Kind: Hashable, Sendable
    Proxy.Kind: case http

Types list the protocols they conform to. A requirement of a protocol begins with `requirement`, or `requirement with default`.
"""
import difflib

TYPES = {"swift.struct", "swift.class", "swift.enum", "swift.protocol"}
# Every type has these, or gets them with another one.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype"}
# Members that say no more than the conformance they belong to: their declaration never differs.
FIXED = {
    "Comparable.<(_:_:)", "CustomDebugStringConvertible.debugDescription", "CustomReflectable.customMirror",
    "CustomStringConvertible.description", "Decodable.init(from:)", "Encodable.encode(to:)", "Equatable.==(_:_:)",
    "Hashable.hash(into:)", "Hashable.hashValue",
}
RELATIONS = {"sameType": "==", "conformance": ":", "superclass": ":", "sameShape": "~="}


def declarations(graphs, names):
    """The lines of one product, sorted. `names` has the names of the types of all products by their identifiers."""
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
    """{identifier: name} of every type that graphs declare or name."""
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
    """{requirement: note}, and the default implementations, which the notes speak for.

    An implementation under further conditions, or in another protocol, is a declaration of its own.
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
    """{type of the product: protocols}, and (path, True, line) of each conditional one, or one of a type of another product."""
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
    """` where …`, sorted; empty without constraints that say anything."""
    told = {
        f"{one['lhs']} {RELATIONS.get(one['kind'], one['kind'])} {one['rhs']}" for one in found if one["rhs"] not in IMPLIED
    }
    return " where " + ", ".join(sorted(told)) if told else ""


def owner(symbol):
    """The path of the enclosing declaration with its conditions and a colon; empty at the top level."""
    path = ".".join(symbol["pathComponents"][:-1])
    return f"{path}{constraints(symbol.get('swiftExtension', {}).get('constraints', []))}: " if path else ""


def declaration(symbol):
    """A declaration in one line, with what the compiler's own print leaves out."""
    text = " ".join("".join(fragment["spelling"] for fragment in symbol["declarationFragments"]).split())
    if symbol["kind"]["identifier"].endswith("subscript"):  # printed without the labels that callers write
        text = text.replace("subscript", symbol["pathComponents"][-1], 1)
    for availability in symbol.get("availability", []):
        for key, word in ("isUnconditionallyDeprecated", "deprecated"), ("isUnconditionallyUnavailable", "unavailable"):
            if availability.get(key):
                text = f"@available(*, {word}) {text}"
    return f"open {text}" if symbol.get("accessLevel") == "open" else text


def comparable(line):
    """The line without what compilers print differently: 6.2 leaves `@Sendable` out and puts `@escaping` first."""
    return line.replace("@Sendable ", "").replace("nonisolated(nonsending) @escaping", "@escaping nonisolated(nonsending)")


def differences(old, new):
    """The lines that were removed and added, each with its sign, in the order of the lists."""
    found = difflib.unified_diff([*map(comparable, old)], [*map(comparable, new)], n=0, lineterm="")
    return [line for line in list(found)[2:] if not line.startswith("@@")]


def merged(old, new):
    """The new lines, each in the spelling of the old one that it compares equal to, if there is one."""
    spelling = {comparable(line): line for line in old}
    return [spelling.get(comparable(line), line) for line in new]
