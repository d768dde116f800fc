import Foundation
import Sockeye
import SockeyeToolKit
import Testing

/// Checks that CommandLine.md agrees with the command.
@Suite("The article on the command line", .timeLimit(.minutes(2)))
struct ArticleTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../../..").standardized
    private let article: String

    init() throws {
        let path = Self.root.appending(path: "Sources/Sockeye/Documentation.docc/CommandLine.md")
        article = try String(contentsOf: path, encoding: .utf8)
    }

    @Test
    func `it lists the exit statuses that there are`() {
        let rows = article.split(separator: "\n").filter { $0.firstMatch(of: /^\| \d+ \|/) != nil }
        #expect(rows.map(String.init) == ExitStatus.all.map { "| \($0.code) | \($0.meaning) |" })
    }

    @Test
    func `it lists the variables of --write-out`() {
        for variable in WriteOutVariable.allCases {
            #expect(article.contains(variable.rawValue), "\(variable.rawValue)")
        }
    }

    @Test
    func `every option that it names exists`() async throws {
        let help = try await Tool.run(["--experimental-dump-help"]).json
        var names: Set<String> = []
        for command in help["command"]?["subcommands"]?.array ?? [] {
            for name in (command["arguments"]?.array ?? []).flatMap({ $0["names"]?.array ?? [] }) {
                names.insert((name["kind"] == "long" ? "--" : "-") + (name["name"]?.string ?? ""))
            }
        }
        // Only the column `sockeye` of the table is checked.
        let named = article.split(separator: "\n").filter { !$0.hasPrefix("$") }.flatMap { line -> [Substring] in
            let columns = line.split(separator: "|", omittingEmptySubsequences: false)
            let text = columns.count == 6 ? columns[2] : line
            return text.matches(of: /`(-[A-Za-z]|--[a-z][a-z0-9-]+)\b/).map(\.output.1)
        }
        #expect(named.count > 50)
        for name in named { #expect(names.contains(String(name)), "\(name)") }
    }

    @Test
    func `the commands in the article are accepted`() async throws {
        let folder = try Tool.Folder()
        for file in ["rows.csv", "coast.jpeg", "big.iso"] { try folder.write("x", to: file) }
        let commands = article.split(separator: "\n").filter { $0.hasPrefix("$ sockeye ") }
        #expect(commands.count >= 10)
        for command in commands {
            let text = command.dropFirst("$ sockeye ".count).prefix { $0 != "#" && $0 != ";" }
            let words = String(text).split(separator: " | ")[0].split(separator: " ").map {
                String($0).replacing("'", with: "")
            }
            // Needs no server: errors of a command line are reported before anything is sent.
            let hosts = ["--resolve", "example.com:443:127.0.0.1", "--unix-socket", "nowhere"]
            let run = try await Tool.run(words + hosts, in: folder)
            #expect(run.status != ExitStatus.usage.code, "\(command) \(run.error)")
        }
    }
}
