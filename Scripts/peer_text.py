"""Checks that code for the texts of peers compares them byte by byte.

Swift compares strings by canonical equivalence. Texts with different bytes can be equal, and for long runs of combining
marks a comparison takes quadratic time (seconds for 60 KB). `.utf8`, `FieldBytes` and `FieldScanner` compare bytes.
"""
import re

# Code for the fields and bodies of responses.
FOLDERS = re.compile(
    r"Sources/(?:SockeyeHTTP/Semantics/(?:Coding|Digests|Media|Multipart)|Sockeye/Serialization/Responses"
    r"|SockeyeCache/Rules|SockeyeStreams/(?:Events|Lines|Multipart|Parsing)"
    r"|SockeyeTransfers/(?:Downloads/Running|Ranges)|SockeyeWebSocket/Protocol|SockeyeXML/Parsing)/")
COMPARISONS = [
    (re.compile(r"(?<!\.utf8)\.has(?:Prefix|Suffix)\("), "hasPrefix and hasSuffix compare characters"),
    (re.compile(r"\.(?:lowercased|uppercased)\(\) *[!=]="), "== compares strings by canonical equivalence"),
    (re.compile(r"\bswitch .*\.(?:lowercased|uppercased)\(\)"), "switch compares strings by canonical equivalence"),
    (re.compile(r"\[[^\]]*\.(?:lowercased|uppercased)\(\)\]"), "a dictionary hashes the text, which can take seconds"),
]


def findings(sources):
    """Yields (path, line, message). `sources` maps paths to code without comments and string literals."""
    for path, code in sources.items():
        if not FOLDERS.match(path):
            continue
        for number, line in enumerate(code.split("\n"), 1):
            for pattern, reason in COMPARISONS:
                if pattern.search(line):
                    yield path, number, f"compare the text of a peer by its bytes: {reason}"
