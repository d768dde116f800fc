"""Checks that the imports of each target's files agree with its dependencies in Package.swift. Used by check-sources.py.

The compiler finds a module that another target has already built in the same folder, in whichever order they come. A
user who builds a single product has only the modules that this product depends on.
"""
import re

IMPORT = re.compile(r"^(?:@\S+ )*(?:(?:public|package|internal|private|fileprivate) )?import (?:\w+ )?(\w+)", re.M)


def declared(package):
    """Returns {name: (folder, names of dependencies)} of the targets with Swift, from `swift package dump-package`."""
    targets = {}
    for target in package["targets"]:
        if target["type"] == "system":
            continue
        home = "Tests" if target["type"] == "test" else "Sources"
        folder = target.get("path") or f"{home}/{target['name']}"
        targets[target["name"]] = folder, {list(one.values())[0][0] for one in target["dependencies"]}
    return targets


def imports_of(targets, codes):
    """Returns {name: {imported module: (path, line)}} of all targets; a file belongs to the innermost folder."""
    found = {name: {} for name in targets}
    folders = sorted(((folder, name) for name, (folder, _) in targets.items()), key=lambda one: -len(one[0]))
    for path, code in sorted(codes.items()):
        owner = next((name for folder, name in folders if path.startswith(f"{folder}/")), None)
        if owner:
            for match in IMPORT.finditer(code):
                found[owner].setdefault(match[1], (path, code.count("\n", 0, match.start()) + 1))
    return found


def findings(package, codes):
    """Yields imports of targets of the package that are no dependency, and dependencies of products that no file
    imports. Dependencies of the target Sockeye itself are allowed everywhere: most products list all of them."""
    targets = declared(package)
    names = {target["name"] for target in package["targets"]}
    usual = {"Sockeye", "SockeyeEssentials", *targets.get("Sockeye", ("", ()))[1]}
    for name, modules in imports_of(targets, codes).items():
        folder, dependencies = targets[name]
        for module in sorted(modules.keys() & names - dependencies - {name}):
            yield *modules[module], f"{name} imports {module}, which Package.swift does not list for it"
        if folder.startswith("Sources/") and modules:
            for module in sorted(dependencies & names - modules.keys() - usual):
                yield "Package.swift", 1, f"no file of {name} imports {module}, which Package.swift lists for it"
