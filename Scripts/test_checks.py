#!/usr/bin/env python3
"""Tests the checks in Scripts on invented sources. Prints nothing unless a test fails. `make lint` runs them first."""
import io
import sys
import unittest
from pathlib import Path

import articles
import changed_tests
import compiled
import forge
import growth
import imports
import landing_page
import packages
import peer_text
import pictures
import promises
import prose
import public_api
import site_search
import snippets
import structure
import symbol_graphs
from swift_source import top_level_types, without_text


def messages(check, *arguments):
    return [message for _, _, message in check(*arguments)]


class Reading(unittest.TestCase):
    def types(self, source):
        return [(line, access, name) for line, access, name in top_level_types(without_text(source))]

    def test_types_of_the_top_level_with_their_access(self):
        source = "@frozen\npublic struct A {\n  public struct Nested {}\n}\nopen class B {}\nprivate enum C {}\nactor D {}\n"
        self.assertEqual(
            self.types(source), [(2, "public", "A"), (5, "open", "B"), (6, "private", "C"), (7, "internal", "D")])

    def test_modifiers_and_attributes_of_one_line(self):
        source = "@available(*, unavailable) public final class A {}\npublic indirect enum B {}\nfinal public class C {}\n"
        self.assertEqual([name for _, _, name in self.types(source)], ["A", "B", "C"])
        self.assertEqual({access for _, access, _ in self.types(source)}, {"public"})

    def test_comments_and_strings_declare_nothing(self):
        source = '// struct A {\n/* public struct B { */\nlet c = "{"\nlet d = """\nstruct D {\n"""\nstruct E {}\n'
        self.assertEqual(self.types(source), [(7, "internal", "E")])


class Circles(unittest.TestCase):
    there = "struct There { var back: Back? }\n"
    back = "struct Back {}\nlet there = There.self\n"

    def test_between_folders(self):
        sources = {"Sources/T/A/x.swift": self.there, "Sources/T/B/y.swift": self.back}
        found = messages(structure.circles, sources)
        self.assertEqual(len(found), 2)
        self.assertIn("There closes a dependency cycle of folders: Sources/T/B uses Sources/T/A", found[1])

    def test_between_targets(self):
        sources = {"Sources/T/x.swift": self.there, "Sources/U/y.swift": self.back}
        self.assertIn("Back closes a dependency cycle of targets: T uses U", messages(structure.circles, sources))

    def test_through_a_third(self):
        sources = {
            "Sources/T/A/a.swift": "struct A { let b: B }", "Sources/T/B/b.swift": "struct B { let c: C }",
            "Sources/T/C/c.swift": "struct C { let a: [A] }", "Sources/T/D/d.swift": "struct D { let a: A }",
        }
        self.assertEqual(len(messages(structure.circles, sources)), 3)

    def test_an_arrow_is_none_inside_a_folder_one_way_or_to_a_private_or_ambiguous_name(self):
        one = {"Sources/T/A/x.swift": self.there, "Sources/T/A/y.swift": self.back}
        way = {"Sources/T/A/x.swift": "struct There {}", "Sources/T/B/y.swift": self.back}
        private = {"Sources/T/A/x.swift": self.there, "Sources/T/B/y.swift": "private " + self.back}
        twice = {**private, "Sources/T/B/y.swift": self.back, "Sources/T/C/z.swift": "enum Back {}"}
        for sources in one, way, private, twice:
            self.assertEqual(messages(structure.circles, sources), [])


class Folders(unittest.TestCase):
    def test_one_file_below_a_target(self):
        sources = dict.fromkeys(["Sources/T/x.swift", "Sources/T/A/x.swift", "Sources/T/B/x.swift", "Sources/T/B/y.swift"], "")
        self.assertEqual([path for path, _, _ in structure.lonely_files(sources)], ["Sources/T/A/x.swift"])


class TopLevel(unittest.TestCase):
    def test_files_that_do_not_belong_there(self):
        paths = ["README.md", "Module.h", "Sources/T/x.swift", "notes.txt"]
        self.assertEqual([path for path, _, _ in structure.strangers(paths)], ["Module.h", "notes.txt"])


class Systems(unittest.TestCase):
    def found(self, line):
        sources = {"Sources/T/x.swift": "import Other\n" + line}
        return [line for _, line, _ in structure.words_of_one_system(sources)]

    def test_words_of_one_system_in_code_strings_and_comments(self):
        for line in (
            "import Glibc", "package import Darwin", "import func Musl.read", "return -Int(errno)", "/// Sets `errno`.",
            "let path = \"/proc/self/fd\"", "flags | EPOLLIN.rawValue", "// by eventfd(2)", "#if os(Linux)",
            "#elseif DEBUG && os(macOS)",
        ):
            self.assertEqual(self.found(line), [2], line)

    def test_words_of_all_systems(self):
        for line in "import CSockeyeSystem", "#if canImport(FoundationEssentials)", "/// write(2)", "closures(of: tasks)":
            self.assertEqual(self.found(line), [], line)


class Names(unittest.TestCase):
    others = structure.parse_names("# made\nRequest vapor-4.1 hummingbird-2.0\nHTTPClient async-http-client-1.0\n")

    def found(self, source, others=None):
        return messages(structure.taken_names, {"Sources/T/x.swift": source}, others or self.others)

    def test_public_types_of_others(self):
        self.assertEqual(self.found("public struct Request {}"), ["Request is also a type of vapor-4.1, hummingbird-2.0"])

    def test_types_that_are_not_public_or_nested(self):
        self.assertEqual(self.found("struct Request {}\npublic enum Mine { public struct Request {} }"), [])

    def test_the_client_may_be_named_as_one_other_is(self):
        self.assertEqual(self.found("public struct HTTPClient {}"), [])
        others = {"HTTPClient": ["async-http-client-1.0", "another-2.0"]}
        self.assertEqual(self.found("public struct HTTPClient {}", others), ["HTTPClient is also a type of another-2.0"])


class Promises(unittest.TestCase):
    tests = {"Tests/T/x.swift": "@Suite struct XTests {\n  @Test func a() {}\n  func help() {}\n}\n"
        "extension YTests { @Test(.enabled(if: x),\n arguments: all)\n func b() {} }", "Tests/T/z.swift": "struct WTests {}"}

    def found(self, cell):
        document = f"# Security\n| promise | held by |\n|---|---|\n| it holds | {cell} |\n\n| other | table |\n"
        return messages(promises.unheld, "SECURITY.md", document, self.tests, {"head"})

    def test_tests_fuzz_targets_and_commands_that_exist(self):
        self.assertEqual(self.found("`XTests.a`, `YTests.b`, `YTests`, `make fuzz TARGET=head`, `make soak`"), [])

    def test_no_test_and_tests_that_do_not_exist(self):
        self.assertEqual(self.found("faith"), ["a promise without a test"])
        missing = ["XTests.c", "XTests.help", "ZTests.a", "ZTests", "WTests"]
        self.assertEqual(
            self.found(", ".join(f"`{name}`" for name in missing)), [f"there is no test {name}" for name in missing])
        self.assertEqual(self.found("`make fuzz TARGET=tail`"), ["there is no fuzz target tail"])
        self.assertEqual(self.found("`faith`"), ["faith is neither a test nor a command"])

    def test_a_document_without_the_table(self):
        self.assertEqual(len(messages(promises.unheld, "SECURITY.md", "# Security\n", {}, set())), 1)

    def test_targets_of_the_fuzzer(self):
        self.assertEqual(promises.fuzz_targets('    "slow": 4,\n        "head": A.head,\n        "x": B.y,\n'), {"head", "x"})

    def test_words_that_the_dictionary_lacks(self):
        names = 'var a: Headers.Name { "Age" }\nvar b: Headers.Name { "Via" }\n'
        self.assertEqual(
            messages(promises.missing_words, "dictionary.txt", '"Age: "\n', names), ["the field name Via is missing"])
        self.assertEqual(
            messages(promises.missing_words, "dictionary.txt", "", 'var a: Renamed { "Age" }\n'),
            ["no field name of the library was found to compare with"])

    def test_copies_of_types_of_the_library(self):
        library = {"Sources/T/x.swift": "struct Reader {}\nprivate struct Own {}\nenum Mutex {}"}
        tests = {"Tests/T/y.swift": "struct Reader {}\nstruct Own {}\nenum Mutex {}\nstruct A { struct Reader {} }"}
        self.assertEqual([line for _, line, _ in promises.copies(tests, library)], [1])


class Packages(unittest.TestCase):
    def found(self, path, source):
        return [number for _, number, _ in packages.unpinned(path, source)]

    def test_installs_without_hashes(self):
        lines = 'a\n"$bin/pip" install --quiet \\\n    --no-deps x \\\n    y\n--require-hashes\n'
        self.assertEqual(self.found("x.sh", lines), [2])
        self.assertEqual(self.found("x.py", 'run(["pip", "install", X])\n# --require-hashes\n'), [1])

    def test_installs_with_hashes_and_advice(self):
        self.assertEqual(self.found("x.sh", "pip3 install \\\n    --require-hashes -r x.txt || return 1\n"), [])
        self.assertEqual(self.found("x.py", 'run(["pip", "install", "--require-hashes", "-r", X])\n'), [])
        self.assertEqual(self.found("x.sh", "# pip install x\n") + self.found("x.py", "# pip install x\n"), [])


class Documentation(unittest.TestCase):
    def graph(self, *symbols):
        module, relation = {"name": "SockeyeNet"}, {"kind": "memberOf", "source": "a", "target": "b"}
        return {"metadata": {}, "module": module, "symbols": list(symbols), "relationships": [relation]}

    def test_findings_of_an_older_compiler_without_links_that_it_does_not_find(self):
        other = "a.swift:1:2: warning: 'SockeyeError' doesn't exist at '/SockeyeXML/Sockeye'"
        own = "a.swift:1:2: warning: 'options' doesn't exist at '/Sockeye/ParameterSerializer/Options'"
        text = f"note\n{other}\n{own}\nb.swift:3:4: error: x"
        self.assertEqual(len(symbol_graphs.documentation_findings(text, True)), 3)
        self.assertEqual(symbol_graphs.documentation_findings(text, False), [own, "b.swift:3:4: error: x"])

    def test_lower_targets_become_the_one_module(self):
        symbol = {"identifier": {"precise": "a"}, "docComment": {"module": "SockeyeNet", "lines": []}}
        extension = {"identifier": {"precise": "b"}, "swiftExtension": {"extendedModule": "SockeyeNet"}}
        graph = symbol_graphs.merged([self.graph(symbol), self.graph(symbol, extension)], "SockeyeXML")
        self.assertEqual([one["identifier"]["precise"] for one in graph["symbols"]], ["a", "b"])
        self.assertEqual(graph["symbols"][0]["docComment"]["module"], "SockeyeXML")
        self.assertEqual(graph["symbols"][1]["swiftExtension"]["extendedModule"], "Sockeye")
        self.assertEqual((graph["module"]["name"], len(graph["relationships"])), ("SockeyeXML", 1))

    def test_graphs_of_extensions_by_their_file_names(self):
        names = ["SockeyeXML.symbols.json", "SockeyeXML@SockeyeEngine.symbols.json", "Sockeye@Swift.symbols.json"]
        self.assertEqual([symbol_graphs.extended_module(name) for name in names], [None, "Sockeye", "Swift"])

    def test_names_of_another_library_are_the_code_of_the_first_column(self):
        table = "| theirs | here | test |\n|---|---|---|\n| `GET:`, `tasks` of it | `get` | GetTests |\n"
        self.assertEqual(symbol_graphs.foreign_names(table), ["GET:", "tasks"])

    def test_links_to_no_page(self):
        def page(target):
            return {"references": {"x": {"type": "topic", "url": target}, "y": {"type": "unresolvable"}}}

        self.assertEqual(list(symbol_graphs.dead_links({"/a": page("/b#c"), "/b": page("/c")})), [("/b", "/c")])


class Growth(unittest.TestCase):
    def enums(self, source):
        path = "Sources/T/x.swift"
        return messages(growth.undecided_enums, {path: source}, {path: without_text(source)})

    def test_public_enums_say_whether_they_gain_cases(self):
        message = "A neither is @nonexhaustive nor says that it never gains a case"
        for source in (
            "/// One.\npublic enum A {\n    /// First.\n    case a\n}\n", "public enum A { case a }\n",
            "extension B {\n    /// One.\n    public indirect enum A: Int {\n        case a\n    }\n}\n",
            "/// Never gains a case.\n\npublic enum A {\n    case a\n}\n",
        ):
            self.assertEqual(self.enums(source), [message])

    def test_enums_that_grow_that_never_do_and_that_have_no_cases(self):
        for source in (
            "/// One.\n@nonexhaustive\npublic enum A {\n    case a\n}\n", "@nonexhaustive public enum A { case a }\n",
            "/// One of RFC 9110; it never gains\n/// a case.\npublic enum A {\n    case a\n}\n", "enum A {\n    case a\n}\n",
            "public enum A {\n    static func f() {\n        switch 1 {\n        case 1: break\n        }\n    }\n}\n",
        ):
            self.assertEqual(self.enums(source), [])

    def test_a_probe_in_each_enum_that_may_grow(self):
        source = '@nonexhaustive\npublic enum A: Int {\n    case a = 7 // }\n    var b: Int { 1 }\n}\npublic enum B { case a }\n'
        source += "@nonexhaustive public indirect enum C { case a }\n"
        probed, count = growth.with_probes(source, without_text(source))
        self.assertEqual(count, 2)
        self.assertIn("var b: Int { 1 }\n\ncase sockeyeGrowthProbe\n}\npublic enum B { case a }\n", probed)
        self.assertTrue(probed.endswith("enum C { case a \ncase sockeyeGrowthProbe\n}\n"))

    def test_a_default_in_the_switch_of_a_line(self):
        source = 'f()\nlet b = switch a.map({ $0 }) {\ncase .a: "}"\ncase .b: { 1 }\n}\n'
        self.assertEqual(growth.with_default(source, without_text(source), 2), source[:-2] + "\ndefault: fatalError()\n}\n")
        self.assertEqual(growth.with_default(source, without_text(source), 1), None)

    def lines(self, source, path="Sources/Sockeye/x.swift", others={}):
        codes = {path: without_text(source)} | others
        return [line for found, line, _ in growth.trait_changes(codes, {"Extra", "Other"}) if found == path]

    def test_a_trait_around_cases_requirements_and_members(self):
        self.assertEqual(self.lines("public enum A {\n    case a\n    #if Extra\n    case b\n    #endif\n}\n"), [4])
        self.assertEqual(self.lines("public protocol A {\n    #if Extra\n    func f()\n    #endif\n}\n"), [3])
        self.assertEqual(self.lines("public struct A {\n    #if Extra && Other\n    public let b = 1\n    #endif\n}\n"), [3])
        self.assertEqual(self.lines("public extension A {\n    #if Extra\n    func f() {}\n    #endif\n}\n"), [3])

    def test_a_trait_around_what_callers_do_not_see(self):
        self.assertEqual(self.lines("public struct A {\n    #if Extra\n    private let b = 1\n    #endif\n}\n"), [])
        self.assertEqual(self.lines("enum A {\n    #if Extra\n    case b\n    #endif\n}\n"), [])
        self.assertEqual(self.lines("#if Extra\npublic import B\n#endif\npublic struct A {}\n"), [])
        self.assertEqual(self.lines("#if DEBUG\npublic struct A {}\n#endif\npublic struct B {}\n"), [])
        body = "public func f() {\n    #if Extra\n    switch 1 { case 1: break }\n    #else\n    g()\n    #endif\n}\n"
        self.assertEqual(self.lines(f"public struct A {{\n{body}}}\n"), [])

    def test_types_of_a_trait_have_files_of_their_own(self):
        wrapped = "// Copyright.\n#if Extra\nimport B\n\npublic struct A {\n    public enum C {\n        case c\n    }\n}\n#endif\n"
        self.assertEqual(self.lines(wrapped), [])
        self.assertEqual(self.lines(wrapped + "struct D {}\n"), [5, 6, 7])
        self.assertEqual(self.lines("struct D {}\n" + wrapped), [6, 7, 8])
        self.assertEqual(self.lines(wrapped.replace("#endif", "#else\npublic struct A {}\n#endif")), [11])
        self.assertEqual(self.lines(wrapped.replace("#if Extra", "#if !Extra")), [5, 6, 7])
        self.assertEqual(self.lines(wrapped.replace("public enum C", "#if Other\npublic enum C").replace("#endif", "#endif\n#endif")), [7, 8])

    def test_members_of_types_that_are_there_without_the_trait(self):
        member = "#if Extra\nextension A {\n    public func f() {}\n}\n#endif\n"
        self.assertEqual(self.lines(member), [3])
        self.assertEqual(self.lines(member, "Sources/SockeyeService/x.swift"), [])
        self.assertEqual(self.lines(member, others={"Sources/Sockeye/y.swift": "#if Extra\npublic struct A {}\n#endif\n"}), [])
        self.assertEqual(self.lines("#if Extra\npublic func f() {}\n#endif\n"), [2])

    def test_a_declaration_that_is_unavailable_without_the_trait(self):
        source = "#if !Extra\n@available(*, unavailable)\npublic class A {\n    public init() {}\n}\npublic class B {}\n#endif\n"
        self.assertEqual(self.lines(source), [6])
        self.assertEqual(self.lines(source.replace("(*, unavailable)", "(\n    *, unavailable,\n    message: \"\"\n)")), [9])

    def test_traits_of_a_manifest(self):
        self.assertEqual(growth.traits('.trait(name: "A", description: "b"),\n.trait(\n    name: "C")'), {"A", "C"})


class Articles(unittest.TestCase):
    compiled = 'let page = try await api.get(path,\n    as: .text)  // api.put(path)\nprint("api.head(path)", .formData, Kind.ready)\n'

    def found(self, cell):
        page = f"# A page\n| there | here | held by |\n|---|---|---|\n| `GET:` | {cell} | `made up` |\n"
        return articles.uncompiled_spans("A.md", page, self.compiled)

    def test_spans_that_are_compiled_whatever_their_spacing_and_strings(self):
        self.assertEqual(messages(self.found, "`api.get(path, as: .text)`, `.text` and `print(\"x\", .formData`"), [])

    def test_spans_of_no_code_of_comments_of_strings_and_parts_of_names(self):
        for span in "api.patch(path)", "api.put(path)", "api.head(path)", ".form":
            message = f"{span} does not occur in the compiled file of the article"
            self.assertEqual(list(self.found(f"`api.get(path` and `{span}`")), [("A.md", 4, message)])

    def test_links_by_their_last_name(self):
        self.assertEqual(messages(self.found, "``Kind/ready(_:)-swift.struct``, ``Kind``"), [])
        self.assertEqual(len(messages(self.found, "``Kind/waiting(_:)``")), 1)

    def test_a_page_without_code(self):
        self.assertEqual(messages(self.found, "nothing"), ["no table with code in its second column"])


class ArticleBlocks(unittest.TestCase):
    files = [articles.packed(code) for code in ("// api.head()\nlet a = api.get(\n    path)\nprint(a)\n", "print(b)\n")]

    def found(self, *blocks, language="swift"):
        page = "# A page\n" + "".join(f"\n```{language}\n{block}\n```\n" for block in blocks)
        return [number for _, number, _ in articles.uncompiled_blocks("A.md", page, self.files)]

    def test_blocks_whose_lines_one_file_has_whatever_their_spacing_and_comments(self):
        self.assertEqual(self.found("let a =\n    api.get(path)\n// a comment\nprint(a)", "print(b)"), [])

    def test_lines_of_no_file_of_comments_and_of_different_files(self):
        self.assertEqual(self.found("print(b)", "let a = api.get([path])", "api.head()"), [8, 12])
        self.assertEqual(self.found("let a = api.get(path)\nprint(a)\nprint(b)"), [6])

    def test_manifests_and_other_languages(self):
        manifests = "// Package.swift\nx", '.package(\n    url: "y"),', '.product(name: "A", package: "a")'
        self.assertEqual(self.found(*manifests), [])
        self.assertEqual(self.found("make demo", language="sh"), [])


class ChangedTests(unittest.TestCase):
    tests = {
        "Tests/SockeyeXMLTests/a.swift": "", "Tests/SockeyeTests/a.swift": 'Vectors.load(own: "cache.json")',
        "Tests/SockeyeNetTests/a.swift": 'load(own: "names.json")', "Tests/SockeyeHTTPTests/B/b.swift": '"names.json"',
        "Tests/SockeyeFaultTests/a.swift": "import SockeyeSoak",
    }

    def found(self, *paths):
        return changed_tests.targets(paths, self.tests)

    def test_a_target_and_its_tests(self):
        self.assertEqual(self.found("Sources/SockeyeXML/a.swift", "Tests/SockeyeXMLTests/a.swift"), ["SockeyeXMLTests"])
        self.assertEqual(self.found("Sources/Sockeye/a.swift", "Tests/README.md"), ["SockeyeTests"])

    def test_a_target_that_is_tested_with_another_one(self):
        self.assertEqual(self.found("Sources/CSockeyeXML/a.c", "Sources/CXML/a.h"), ["SockeyeXMLTests"])
        self.assertEqual(self.found("Sources/COpenSSL/a.h", "Sources/CZlib/a.h"), ["SockeyeHTTPTests", "SockeyeNetTests"])
        self.assertEqual(self.found("Tests/SockeyeSoak/main.swift"), ["SockeyeFaultTests"])
        self.assertEqual(self.found("Sources/SockeyeEssentials/a.swift"), ["SockeyeTests"])

    def test_cases_that_several_targets_read(self):
        self.assertEqual(self.found("Tests/Cases/names.json"), ["SockeyeHTTPTests", "SockeyeNetTests"])
        self.assertEqual(self.found("Tests/Cases/cache.json"), ["SockeyeTests"])
        self.assertEqual(self.found("Tests/Cases/unread.json"), ["SockeyeTests"])

    def test_each_target_of_the_table_exists(self):
        root = Path(__file__).resolve().parent.parent
        for target, tested in changed_tests.TESTED_WITH.items():
            self.assertTrue((root / "Sources" / target).is_dir() or (root / "Tests" / target).is_dir(), target)
            self.assertTrue((root / "Tests" / f"{tested}Tests").is_dir(), tested)


class Prose(unittest.TestCase):
    def found(self, source, path="A.swift"):
        return [(number, message.split(",")[0]) for number, message in prose.findings(path, source)]

    def test_plain_sentences_in_every_kind_of_file(self):
        swift = "/// An LRU cache of TLS contexts.\nlet a = 1  // \n"
        self.assertEqual(self.found(swift), [])
        self.assertEqual(self.found("# Waits for a reader.\n", "a.py"), [])
        self.assertEqual(self.found("/* Returns -1\n * on failure. */\n", "a.c"), [])
        self.assertEqual(self.found("# Title\n\nThe pool waits.\n", "a.md"), [])

    def test_lines_of_comments_that_are_too_long_but_not_lines_of_code(self):
        self.assertEqual(self.found("    // " + "a" * 114 + "\n"), [(1, "a comment of 121 columns")])
        self.assertEqual(self.found("    // " + "a" * 113 + "\n"), [])
        self.assertEqual(self.found('let a = "' + "a" * 130 + '"\n'), [])

    def test_words_without_an_actor_or_a_thing(self):
        for word in "whoever", "whom", "nobody", "Somebody", "everybody", "is none", "are none":
            self.assertEqual(len(self.found(f"// Here {word} waits.\n")), 1, word)
            self.assertEqual(len(self.found(f"Here {word} waits.\n", "a.md")), 1, word)
        self.assertEqual(self.found("// The user `nobody` of nginx.\n"), [])
        self.assertEqual(self.found("```\nnobody\n```\n", "a.md"), [])
        self.assertEqual(self.found("/// ```\n/// nobody()\n/// ```\n"), [])

    def test_long_sentences_across_lines_but_not_tables_items_and_code(self):
        words = " ".join(["word"] * 20)
        self.assertEqual(self.found(f"// {words}\n// {words}\n"), [(1, "a sentence of 40 words")])
        self.assertEqual(self.found(f"// {words}.\n// {words}\n"), [])
        self.assertEqual(self.found(f"- {words}\n- {words}\n", "a.md"), [])
        self.assertEqual(self.found(f"| {words} | {words} |\n", "a.md"), [])

    def test_openings_with_a_question_word_beyond_a_few(self):
        declaration = "/// What it is.\nlet a = 1\n"
        self.assertEqual(self.found(declaration * 2), [])
        self.assertEqual(
            self.found(declaration * 3),
            [(5, "3 documentation comments open with What")])

    def test_backticked_names_that_do_not_exist(self):
        source = "/// Like `PoolTables`, `take(_:)`, `noteEnd(of:)`, `no` and ``Link``; AFNetworking's `AFCache`.\n"
        foreign = prose.foreign_names("# Apple's\nAF*\n")
        self.assertEqual(
            messages(prose.unknown_names, {"A.swift": source}, "func noteEnd() {}", foreign),
            ["`PoolTables` does not exist"])


class Snippets(unittest.TestCase):
    def found(self, code, path="a.md", language="swift"):
        text = f"```{language}\n{code}\n```\n"
        if path.endswith(".swift"):
            text = "".join(f"    /// {line}\n" for line in text.splitlines()) + "    let a = 1\n"
        return [(number, message.split(",")[0]) for number, message in snippets.findings(path, text)]

    def test_lines_that_a_page_cuts_off(self):
        self.assertEqual(self.found("a" * 80), [])
        self.assertEqual(self.found("b\n" + "a" * 81), [(3, "81 columns in a code block")])
        self.assertEqual(self.found("a" * 81, language="console"), [(2, "81 columns in a code block")])
        self.assertEqual(self.found("a" * 81, "A.swift"), [(2, "81 columns in a code block")])
        self.assertEqual(list(snippets.findings("a.md", "a" * 200)), [])

    def test_drawings_in_comments_of_code_may_be_wide(self):
        self.assertEqual(self.found("a" * 81, "A.swift", language=""), [])

    def test_comments_behind_code_but_not_above_nor_in_strings(self):
        message = "a comment behind code; it belongs above the line"
        self.assertEqual(self.found("let a = 1  // one"), [(2, message)])
        self.assertEqual(self.found("let a = 1  // one", "A.swift"), [(2, message)])
        self.assertEqual(self.found('// one\nlet a = "x // y"\nlet b = "https://a.example"'), [])
        self.assertEqual(self.found("$ make demo // x", language="console"), [])

    def test_one_address_of_the_package(self):
        here = '.package(url: "https://example.com/sockeye.git", branch: "main"'
        self.assertEqual(self.found(here + "),"), [])
        split = here.replace("(url", "(\n    url") + ',\n    traits: ["XML"]),'
        self.assertEqual(self.found(split), [])
        for other in '.package(path: "../sockeye"),', '.package(url: "https://example.com/sockeye.git", from: "1.0.0"),':
            self.assertEqual(len(self.found(other)), 1)
        self.assertEqual(self.found('.package(url: "https://example.com/other.git", from: "1.0.0"),'), [])

    def test_articles_and_documentation_comments_are_read(self):
        read = ["README.md", "Sources/A/Documentation.docc/a.md", "Sources/A/a.swift"]
        self.assertEqual([path for path in [*read, "Tests/a.swift", "CHANGELOG.md"] if snippets.is_read(path)], read)


class Pictures(unittest.TestCase):
    manifest = (
        'module(\n    "SockeyeA",\n    ["SockeyeB", "SockeyeC"]), module("SockeyeB", ["SockeyeC", other])\n'
        '.target(name: "SockeyeC", dependencies: ["CThing"], swiftSettings: platformSettings)\n')
    rows = "# A drawing.\nband All\nrow\nSockeyeA | a\nrow\nSockeyeB | b\nrow\nSockeyeC | c\n"

    def test_targets_use_only_targets_in_lower_rows(self):
        self.assertEqual(list(pictures.misplaced_targets(self.rows, self.manifest)), [])
        swapped = self.rows.replace("row\nSockeyeB", "SockeyeB")
        self.assertEqual(
            list(pictures.misplaced_targets(swapped, self.manifest)),
            [(4, "SockeyeA uses SockeyeB, which is not in a lower row")])

    def test_targets_may_name_lists_of_targets(self):
        lists = (
            'let low: [Target.Dependency] = [\n    "SockeyeC",\n    other,\n]\n'
            'let all: [Target.Dependency] = ["SockeyeB"] + low\n\n')
        named = self.manifest.replace('["SockeyeB", "SockeyeC"]', "all + [further]").replace('["SockeyeC", other]', "low")
        self.assertEqual(list(pictures.misplaced_targets(self.rows, lists + named)), [])
        swapped = self.rows.replace("row\nSockeyeB", "SockeyeB")
        self.assertEqual(
            list(pictures.misplaced_targets(swapped, lists + named)),
            [(4, "SockeyeA uses SockeyeB, which is not in a lower row")])

    def test_targets_that_are_missing_or_do_not_exist(self):
        self.assertEqual(
            list(pictures.misplaced_targets(self.rows.replace("SockeyeB", "SockeyeD"), self.manifest)),
            [(1, "the target SockeyeB of Package.swift is missing"), (6, "SockeyeD is no target of Package.swift")])

    stages = 'public static let b = Call.Stage(1, "b")\npublic static let a = Call.Stage(0, "a")\n'
    timeouts = "    /// Waiting. Default 60 s.\n    public var pool: Duration?\n    /// All. Default `.unlimited`.\n    public var total: Duration?\n"

    def test_stages_and_deadlines_of_a_request(self):
        text = "stage a | x\nstage b | y\nphase pool | z\n"
        self.assertEqual(list(pictures.misplaced_stages(text, self.stages, self.timeouts)), [])
        found = list(pictures.misplaced_stages("stage b | x\nstage a | y\nphase head | z\n", self.stages, self.timeouts))
        self.assertEqual(found, [
            (1, "the stages are a, b in the code, and b, a here"),
            (3, "Timeouts.swift states no default of the deadline head"), (1, "the deadline pool is missing")])
        self.assertEqual(pictures.deadlines(self.timeouts), {"pool": "60 s", "total": "unlimited"})

    def test_a_picture_has_its_texts_and_the_colours_of_its_theme(self):
        for colours in pictures.LIGHT, pictures.DARK:
            picture = pictures.architecture(self.rows.replace("| a", "| one & two"), colours)
            self.assertIn(">SockeyeA</text>", picture)
            self.assertIn(">one &amp; two</text>", picture)
            self.assertIn(f'fill="{colours["page"]}"', picture)


class Site(unittest.TestCase):
    nodes = [{"title": "Sockeye", "path": "/s", "type": "module", "children": [
        {"title": "Recipes", "type": "groupMarker"},
        {"title": "Trust a self-signed certificate", "path": "/trust", "type": "article",
         "children": [{"title": "insecure", "path": "/trust", "type": "article"}]},
        {"title": "func retry(max: Int)", "path": "/retry", "type": "method"}]}]

    def test_the_filter_shows_titles_that_contain_the_query_without_spaces(self):
        listed = list(site_search.entries(self.nodes))
        self.assertEqual(len(listed), 4)
        self.assertEqual(site_search.filtered("SELF-signed cert", listed), ["/trust"])
        self.assertEqual(site_search.filtered("self signed", listed), [])
        self.assertEqual(site_search.filtered("recipes", listed), [])

    def test_the_quick_search_shows_titles_with_the_letters_in_order_and_not_too_far_apart(self):
        listed = list(site_search.entries(self.nodes))
        self.assertEqual(site_search.quick("self signed cert", listed), ["/trust"])
        self.assertEqual(site_search.quick("insec", listed), ["/trust"])
        self.assertEqual(site_search.quick("trf", listed), [])
        many = [(f"/{number}", f"retry {'x' * number}") for number in range(30)]
        self.assertEqual(site_search.quick("retry", many), [f"/{number}" for number in range(20)])

    def test_queries_that_do_not_find_their_page(self):
        rows = site_search.parse_queries("# A table.\nretry → /retry\nself signed → /trust\n\nhttp/2 → /none\n")
        self.assertEqual([(number, message.split(" for")[0]) for number, message in site_search.unfound(rows, self.nodes)], [
            (3, "the navigator's filter does not show /trust"), (5, "the navigator's filter does not show /none"),
            (5, "the quick search does not show /none among its first 20")])

    def test_search_words_of_an_article(self):
        self.assertEqual(site_search.search_words("# A\n\nSearch words: `curl -k`,\nown CA, insecure.\n"), ["curl -k", "own CA", "insecure"])
        self.assertEqual(site_search.search_words("# A\n"), [])

    def test_the_landing_page_lists_each_product_with_its_sentence(self):
        def page(title):
            return {"identifier": {"url": f"doc://{title}"}, "kind": "article", "metadata": {"title": title},
                    "abstract": [title], "primaryContentSections": [], "references": {}}

        pages = {landing_page.address(path): page(path) for _, paths in landing_page.GROUPS for path in paths}
        made = landing_page.landing_page({"kind": "article"}, pages)
        self.assertEqual(made["abstract"], ["sockeye"])
        self.assertEqual(made["references"]["doc://sockeyexml"]["abstract"], ["sockeyexml"])
        self.assertEqual(landing_page.missing_products(["Sockeye", "SockeyeXML", "SockeyeNew"]), ["SockeyeNew"])


class PublicDeclarations(unittest.TestCase):
    def symbol(self, path, text, kind="method", **more):
        return {
            "identifier": {"precise": f"s:{path}"}, "kind": {"identifier": f"swift.{kind}"}, "pathComponents": path.split("."),
            "declarationFragments": [{"spelling": text}], **more,
        }

    def relation(self, kind, source, target, **more):
        return {"kind": kind, "source": f"s:{source}", "target": f"s:{target}", **more}

    def lines(self, symbols, relations=()):
        graphs = [{"symbols": symbols, "relationships": list(relations)}]
        return public_api.declarations(graphs, public_api.type_names(graphs))

    def test_one_line_for_each_with_its_path_types_before_their_members(self):
        symbols = [
            self.symbol("A.f()", "func f(a: Int = 1,\n        b: Int)"), self.symbol("A", "struct A", "struct"),
            self.symbol("A.B", "enum B", "enum"),
        ]
        self.assertEqual(self.lines(symbols), ["struct A", "A: enum B", "A: func f(a: Int = 1, b: Int)"])
        self.assertEqual(self.lines(symbols[::-1]), self.lines(symbols))

    def test_conformances_but_not_those_of_every_type_nor_members_that_they_imply(self):
        symbols = [self.symbol("A", "struct A", "struct"), self.symbol("A.==(_:_:)", "static func == (l: A, r: A) -> Bool")]
        relations = [
            self.relation("conformsTo", "A", name, targetFallback=f"Swift.{name}")
            for name in ("Sendable", "SendableMetatype", "Equatable", "Copyable")
        ]
        origin = {"identifier": "x", "displayName": "Equatable.==(_:_:)"}
        relations.append(self.relation("memberOf", "A.==(_:_:)", "A", sourceOrigin=origin))
        self.assertEqual(self.lines(symbols, relations), ["struct A: Equatable, Sendable"])

    def test_conformances_under_conditions_and_of_types_of_others(self):
        condition = [{"kind": "conformance", "lhs": "T", "rhs": name} for name in ("P", "Copyable")]
        symbols = [self.symbol("A", "struct A<T>", "struct"), self.symbol("P", "protocol P", "protocol")]
        relations = [
            self.relation("conformsTo", "A", "P", swiftConstraints=condition), self.relation("conformsTo", "Int", "P"),
            self.relation("memberOf", "x", "Int", targetFallback="Swift.Int"),
        ]
        self.assertEqual(
            self.lines(symbols, relations), ["struct A<T>", "extension A: P where T : P", "extension Int: P", "protocol P"])

    def test_requirements_say_whether_they_have_a_default(self):
        condition = {"constraints": [{"kind": "sameType", "lhs": "Self", "rhs": "A"}]}
        symbols = [self.symbol("P.f()", "func f()"), self.symbol("P.g()", "func g()")]
        default, special = self.symbol("P.g()", "func g()"), self.symbol("P.f()", "func f()", swiftExtension=condition)
        default["identifier"], special["identifier"] = {"precise": "s:default"}, {"precise": "s:special"}
        relations = [
            self.relation("requirementOf", "P.f()", "P"), self.relation("requirementOf", "P.g()", "P"),
            self.relation("defaultImplementationOf", "default", "P.g()"),
            self.relation("defaultImplementationOf", "special", "P.f()"),
        ]
        self.assertEqual(self.lines([*symbols, default, special], relations), [
            "P where Self == A: func f()", "P: requirement func f()", "P: requirement with default func g()"])

    def test_deprecation_and_labels_of_subscripts(self):
        deprecated = [{"domain": "*", "isUnconditionallyDeprecated": True}]
        symbols = [
            self.symbol("A.f()", "func f()", availability=deprecated),
            self.symbol("A.subscript(_:)", "subscript(index: Int) -> Int { get }", "subscript"),
        ]
        self.assertEqual(self.lines(symbols), [
            "A: @available(*, deprecated) func f()", "A: subscript(_:)(index: Int) -> Int { get }"])

    def test_differences_are_the_lines_that_changed(self):
        self.assertEqual(public_api.differences(["a", "b", "c"], ["a", "x", "c", "d"]), ["-b", "+x", "+d"])
        self.assertEqual(public_api.differences(["a"], ["a"]), [])

    def test_what_compilers_print_differently_is_no_difference(self):
        one = "A: func f(_ g: nonisolated(nonsending) @escaping @Sendable () -> Void)"
        other = "A: func f(_ g: @escaping nonisolated(nonsending) () -> Void)"
        self.assertEqual(public_api.differences([one], [other]), [])
        self.assertEqual(public_api.merged([one, "B"], [other, "C"]), [one, "C"])


class Forge(unittest.TestCase):
    script = 'step make lint\n    step env A=1 swift build\n    step make test >"$logs/test" 2>&1\n'

    def found(self, *runs):
        workflow = "".join(f"      - run: {run}\n" for run in runs)
        return messages(forge.differing_steps, "ci.yml", self.script, workflow)

    def test_the_same_steps_in_any_order(self):
        self.assertEqual(self.found("make lint", "env A=1 swift build", "make test"), [])
        self.assertEqual(self.found("make test", "make lint", "env A=1 swift build"), [])

    def test_a_missing_and_a_foreign_step(self):
        self.assertEqual(self.found("make lint", "env A=1 swift build"), [
            "does not run the step of .ci/run: make test"])
        self.assertEqual(self.found("make lint", "env A=1 swift build", "make test", "make all"), [
            "is no step of .ci/run: make all"])


class Imports(unittest.TestCase):
    package = {"targets": [
        {"name": "COpenSSL", "type": "system", "dependencies": []},
        {"name": "Core", "type": "regular", "dependencies": []},
        {"name": "Sockeye", "type": "regular", "dependencies": [{"byName": ["Core", None]}]},
        {"name": "A", "type": "regular", "dependencies": [
            {"byName": ["Sockeye", None]}, {"byName": ["Core", None]}, {"target": ["B", {"traits": ["T"]}]},
            {"product": ["HTTPTypes", "swift-http-types", None, None]}]},
        {"name": "B", "type": "regular", "dependencies": []},
        {"name": "ATests", "type": "test", "dependencies": [{"byName": ["A", None]}, {"byName": ["B", None]}]},
        {"name": "Probe", "type": "executable", "path": "Tests/ATests/Probe", "dependencies": [{"byName": ["A", None]}]},
    ]}

    def found(self, path, code):
        used = {"Sources/A/B.swift": "import B\n", "Sources/B/B.swift": "", "Tests/ATests/A.swift": "import A\n"}
        return messages(imports.findings, self.package, used | {path: code})

    def test_listed_and_foreign_modules(self):
        self.assertEqual(self.found("Sources/A/A.swift", "import Core\n@_exported public import B\nimport HTTPTypes\n"), [])
        self.assertEqual(self.found("Tests/ATests/B.swift", "@testable import A\nimport struct B.C\n"), [])

    def test_an_import_that_another_target_has_built(self):
        for line in "import B", "package import B", "@testable import B", "import struct B.C":
            self.assertEqual(self.found("Sources/Sockeye/A.swift", f"{line}\n"), [
                "Sockeye imports B, which Package.swift does not list for it"])
        self.assertEqual(self.found("Sources/A/A.swift", "import COpenSSL\n"), [
            "A imports COpenSSL, which Package.swift does not list for it"])

    def test_a_file_belongs_to_the_innermost_target(self):
        self.assertEqual(self.found("Tests/ATests/Probe/A.swift", "import A\nimport B\n"), [
            "Probe imports B, which Package.swift does not list for it"])

    def test_a_dependency_that_no_file_of_a_product_imports(self):
        self.assertEqual(self.found("Sources/A/B.swift", "import HTTPTypes\n"), [
            "no file of A imports B, which Package.swift lists for it"])


class Compiled(unittest.TestCase):
    record = compiled.HEAD + "benchmarks swift-6.2 aa\nbenchmarks swift-6.3 bb\n"

    def changes(self, path, before, after):
        return compiled.checksum({path: before}) != compiled.checksum({path: after})

    def test_code_names_and_files_count(self):
        self.assertTrue(self.changes("A/a.swift", b"a()\n", b"b()\n"))
        self.assertTrue(self.changes("A/a.swift", b"a()\n", b"a() // b\n"))
        both = {"A/a.swift": b"a()\n", "A/b.swift": b""}
        self.assertNotEqual(compiled.checksum(both), compiled.checksum({"A/a.swift": b"a()\n"}))
        self.assertNotEqual(compiled.checksum({"a": b"1", "b": b"2"}), compiled.checksum({"a": b"2", "b": b"1"}))

    def test_lines_of_comments_do_not_count_except_in_manifests(self):
        self.assertFalse(self.changes("A/a.swift", b"/// A.\na()\n", b"  // B.\na()\n"))
        self.assertTrue(self.changes("A/Package.swift", b"// swift-tools-version: 6.2\n", b"// swift-tools-version: 6.3\n"))

    def test_the_order_of_the_files_does_not_count(self):
        self.assertEqual(compiled.checksum({"a": b"1", "b": b"2"}), compiled.checksum({"b": b"2", "a": b"1"}))

    def test_deprecations_count_as_part_of_the_declarations(self):
        sources = {"b.swift": b"  @available(*, deprecated)\n  func b()\n", "a.swift": b"let available = 1\n"}
        self.assertEqual(compiled.availability(sources), b"@available(*, deprecated)")

    def test_a_state_is_recorded_for_one_part_and_compiler(self):
        self.assertEqual(compiled.recorded(self.record, "benchmarks", "swift-6.3"), "bb")
        self.assertIsNone(compiled.recorded(self.record, "benchmarks", "swift-6.4"))
        self.assertIsNone(compiled.recorded(self.record, "steps", "swift-6.3"))
        self.assertIsNone(compiled.recorded("", "steps", "swift-6.3"))

    def test_a_new_record_replaces_the_former_one(self):
        self.assertEqual(
            compiled.with_record(self.record, "benchmarks", "swift-6.3", "cc"),
            compiled.HEAD + "benchmarks swift-6.2 aa\nbenchmarks swift-6.3 cc\n")
        self.assertEqual(compiled.with_record("", "steps", "swift-6.3", "dd"), compiled.HEAD + "steps swift-6.3 dd\n")


class PeerText(unittest.TestCase):
    def found(self, line, path="Sources/SockeyeHTTP/Semantics/Media/A.swift"):
        return messages(peer_text.findings, {path: line})

    def test_comparisons_of_characters(self):
        for line in (
            'text.hasPrefix("")', 'name.hasSuffix("")', 'coding.lowercased() != ""', 'value?.lowercased() == ""',
            'switch text.lowercased() {', 'names[label.lowercased()]',
        ):
            self.assertEqual(len(self.found(line)), 1, line)

    def test_comparisons_of_bytes_and_other_folders(self):
        for line in (
            'text.utf8.starts(with: prefix.utf8)', 'FieldBytes.isWord(value, "")', 'let name = text.lowercased()',
            'bytes.elementsEqual(other.lowercased().utf8)', 'switch text.count {',
        ):
            self.assertEqual(self.found(line), [], line)
        self.assertEqual(self.found('text.hasPrefix("")', "Sources/SockeyeNet/A.swift"), [])


if __name__ == "__main__":
    report = io.StringIO()
    program = unittest.main(exit=False, testRunner=unittest.TextTestRunner(stream=report))
    if not program.result.wasSuccessful():
        sys.exit(report.getvalue())
