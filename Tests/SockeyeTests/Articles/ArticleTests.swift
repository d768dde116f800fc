import Foundation
import SockeyeTestSupport
import Testing

/// Checks pages of the DocC catalogue against the code: snippets are compiled in this folder, and tables are
/// complete.
@Suite("Articles")
struct ArticleTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let root = folder.appending(path: "../../..").standardizedFileURL
    private static let documentation = root.appending(path: "Sources/Sockeye/Documentation.docc")

    private func text(_ url: URL) throws -> String { try String(contentsOf: url, encoding: .utf8) }

    @Test(
        "every line of a snippet is compiled",
        arguments: [
            "GettingStarted", "Errors", "Performance", "Migration", "AFNetworking", "Proxies", "Deployment",
        ])
    func snippets(article: String) throws {
        let snippets = try ArticleSnippets(of: Self.documentation.appending(path: "\(article).md"))
        #expect(snippets.count > 0)
        #expect(snippets.lines(missingIn: try text(Self.folder.appending(path: "\(article)Article.swift"))) == [])
    }

    @Test("every code line of the article about async-http-client is in one of the two example programs")
    func portedProgram() throws {
        let folder = Self.root.appending(path: "Examples/Sources")
        let programs = try ["MirrorExampleBefore", "MirrorExample"].map { name in
            try text(folder.appending(path: "\(name)/FileMirror.swift"))
        }
        let page = try text(Self.documentation.appending(path: "MigrationFromAsyncHTTPClient.md"))
        let counts = programs.map { program in program.count { $0 == "\n" } }
        #expect(page.contains("has \(counts[0]) lines\nwith async-http-client"))
        #expect(page.contains("and \(counts[1]) with Sockeye"))
        let blocks = page.split(separator: "```swift\n").dropFirst().map { $0.split(separator: "\n```")[0] }
        #expect(blocks.count > 10)
        for block in blocks {
            let program = programs[block.hasPrefix("// Sockeye") ? 1 : 0].filter { !$0.isWhitespace }
            for line in block.split(separator: "\n") {
                let code = line.filter { !$0.isWhitespace }
                #expect(code.hasPrefix("//") || program.contains(code), "\(line)")
            }
        }
    }

    @Test("Adapters.md has the complete files of the adapters, and its other lines are compiled")
    func adapters() throws {
        let examples = Self.root.appending(path: "Examples")
        let page = try text(Self.documentation.appending(path: "Adapters.md"))
        var blocks = page.split(separator: "```swift\n").dropFirst().map { $0.split(separator: "```")[0] }
        for path in [
            "SockeyeNIO/NIOValues.swift", "SockeyeSoto/SockeyeAWSClient.swift", "SockeyeVapor/SockeyeClient.swift",
        ] {
            let file = try text(examples.appending(path: "Sources/\(path)"))
            let place = try #require(blocks.firstIndex(of: Substring(file)), "\(path)")
            blocks.remove(at: place)
        }
        #expect(blocks.count > 5)
        let tests = examples.appending(path: "Tests/AdaptersTests")
        let compiled = try [
            tests.appending(path: "AdaptersArticle.swift"), tests.appending(path: "VaporArticle.swift"),
            examples.appending(path: "Package.swift"),
        ].map { try text($0) }.joined().filter { !$0.isWhitespace }
        for block in blocks {
            for line in block.split(separator: "\n") where line != "// Package.swift" {
                #expect(compiled.contains(line.filter { !$0.isWhitespace }), "\(line)")
            }
        }
    }

    @Test("every error code has a row in the table of Errors.md, and no row names another code")
    func codes() throws {
        let source = try text(Self.root.appending(path: "Sources/SockeyeEngine/Failures/SockeyeError+Code.swift"))
        let page = try text(Self.documentation.appending(path: "Errors.md"))
        let codes = source.matches(of: /public static let (\w+) = Code\(/).map(\.1)
        #expect(codes.count > 30)
        for code in codes { #expect(page.contains("| `\(code)` |"), "\(code)") }
        let rows = page.matches(of: /(?m)^\| `(\w+)` \|/).map(\.1)
        #expect(Set(rows) == Set(codes))
    }

    @Test("every row of the AFNetworking table names a suite or an article that exists")
    func rows() throws {
        let files = FileManager.default.enumerator(
            at: Self.root.appending(path: "Tests"), includingPropertiesForKeys: nil)
        let sources = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
        var suites: Set<Substring> = []
        for source in sources {
            let names = try text(source).matches(of: /\b(?:struct|enum|class) (\w+Tests)\b/).map { Substring($0.1) }
            suites.formUnion(names)
        }
        let page = try text(Self.documentation.appending(path: "AFNetworking.md"))
        let rows = page.matches(of: /(?m)^\| (.+) \| (.+) \| (.*) \|$/).filter { !$0.1.hasPrefix("AFNetworking") }
        #expect(rows.count > 60)
        for row in rows where row.2 != "Apple's alone" {
            let proofs = row.3.split(separator: ", ")
            #expect(!proofs.isEmpty, "\(row.1)")
            for proof in proofs {
                if let article = proof.firstMatch(of: /<doc:(\w+)>/)?.1 {
                    let path = Self.documentation.appending(path: "\(article).md").path()
                    #expect(FileManager.default.fileExists(atPath: path), "\(proof)")
                } else {
                    #expect(suites.contains(proof), "\(row.1): \(proof)")
                }
            }
        }
    }
}
