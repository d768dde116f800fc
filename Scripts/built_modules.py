"""Extracts symbol graphs from the built modules. Used by build-docs.py and api.py.

They are read from a debug build with all traits, which `make test` needs, too, so that nothing is compiled twice.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SWIFT = os.environ.get("SWIFT", "swift")
BUILT = ROOT / ".build/debug"
# Not the cache of the build: the compiler refuses modules of it that were built under another name of the folder.
CACHE = ROOT / ".build/symbol-graphs-cache"
# The order matters: the pages of a product can link only to products before it.
PRODUCTS = (
    "Sockeye", "SockeyeTransfers", "SockeyeStreams", "SockeyeCache", "SockeyeDNS", "SockeyeDiagnostics",
    "SockeyePropertyLists", "SockeyeArchiving", "SockeyeXML", "SockeyeImages", "SockeyeFoundation", "SockeyeWebSocket",
    "SockeyeDiskCache", "SockeyeTesting", "SockeyeObservability", "SockeyeService",
)


def output(*command):
    """Runs a command and returns its output; ends the script if it fails."""
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(word) for word in command[:4])} … failed:\n{done.stdout}")
    return done.stdout


def compiler_version():
    """Returns the compiler's version, such as (6, 3)."""
    found = re.search(r"Swift version (\d+)\.(\d+)", output(SWIFT, "--version"))
    return (int(found[1]), int(found[2])) if found else (0, 0)


def compiler_flags():
    """Returns the flags for reading the built modules: their folder, the C modules that they import, headers of the
    system."""
    maps = [
        *ROOT.glob("Sources/C*/module.modulemap"), *BUILT.glob("*.build/module.modulemap"),
        *ROOT.glob(".build/checkouts/*/Sources/*/module.modulemap"),
        *ROOT.glob(".build/checkouts/*/Sources/*/include/module.modulemap"),
    ]
    triple = json.loads(output(SWIFT, "-print-target-info"))["target"]["unversionedTriple"]
    return [
        "-target", triple, "-I", BUILT / "Modules", "-module-cache-path", CACHE,
        *output("pkg-config", "--cflags-only-I", "libxml-2.0").split(),
        *(option for path in maps for option in ("-Xcc", f"-fmodule-map-file={path}")),
    ]


def extract(module, folder, form, flags):
    """Writes the symbol graphs of a module; its extensions of other modules' types appear as `members` of these, or as
    `blocks`."""
    folder.mkdir(parents=True, exist_ok=True)
    option = {"members": "-omit-extension-block-symbols", "blocks": "-emit-extension-block-symbols"}[form]
    output(
        SWIFT, "symbolgraph-extract", "-module-name", module, "-minimum-access-level", "public", option,
        "-skip-synthesized-members", "-output-dir", folder, *flags)


def extract_all(graphs, flags):
    """Writes several symbol graphs, given as (module, folder, form), as many at once as there are processors."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda graph: extract(*graph, flags), graphs))
