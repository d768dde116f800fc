"""Extracts symbol graphs from the built modules. Used by build-docs.py and api.py.

They are read from a debug build with all traits, which `make test` needs, too, so that nothing is compiled twice.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SWIFT = os.environ.get("SWIFT", "swift")
BUILT = ROOT / ".build/debug"
# Not the cache of the build: the compiler refuses modules of it that were built under another name of the folder.
CACHE = ROOT / ".build/symbol-graphs-cache"
# The graphs of modules, which build-docs.py and api.py share.
GRAPHS = ROOT / ".build/symbol-graphs"
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


def extract(module, form, flags):
    """Writes the symbol graphs of a module; its extensions of other modules' types appear as `members` of these, or as
    `blocks`. Does nothing if they are newer than all built modules. Returns their folder."""
    folder = GRAPHS / form / module
    newest = max(path.stat().st_mtime_ns for path in (BUILT / "Modules").rglob("*.swift*"))
    if folder.exists() and folder.stat().st_mtime_ns > newest:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    # The folder gets its name last, so that an interrupted extraction is repeated.
    unfinished = folder.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    option = {"members": "-omit-extension-block-symbols", "blocks": "-emit-extension-block-symbols"}[form]
    output(
        SWIFT, "symbolgraph-extract", "-module-name", module, "-minimum-access-level", "public", option,
        "-skip-synthesized-members", "-output-dir", unfinished, *flags)
    unfinished.rename(folder)
    return folder


def extract_all(graphs, flags):
    """Copies several symbol graphs, given as (module, folder, form), and makes them if needed, as many at once as there
    are processors."""
    def copy(graph):
        module, folder, form = graph
        shutil.copytree(extract(module, form, flags), folder, dirs_exist_ok=True)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(copy, graphs))
