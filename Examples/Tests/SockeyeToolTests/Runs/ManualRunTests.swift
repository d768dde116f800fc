import Foundation
import Sockeye
import SockeyeToolKit
import Testing

@Suite("sockeye's own documentation", .timeLimit(.minutes(2)))
struct ManualRunTests {
    @Test
    func `the manual page has every option, subcommand and exit status`() async throws {
        let page = try await Tool.run(["generate-manual", "--date", "2026-01-31"]).output
        #expect(page.hasPrefix(".TH SOCKEYE 1 \"2026\\-01\\-31\""))
        for text in [
            "\\-o, \\-\\-output OUTPUT", ".SH \"SOCKEYE BENCH\"", ".SH \"SOCKEYE TRACE\"", "\\fB110\\fR", "\\-\\-pin",
        ] {
            #expect(page.contains(text), "\(text)")
        }
        for status in ExitStatus.all { #expect(page.contains("\\fB\(status.code)\\fR")) }
    }

    @Test
    func `the separation of short options knows which have a value`() async throws {
        let help = try await Tool.run(["--experimental-dump-help"]).json
        let commands = help["command"]?["subcommands"]?.array ?? []
        let fetch = commands.first { $0["commandName"] == "fetch" }?["arguments"]?.array ?? []
        var (withValue, long): (Set<Character>, Set<String>) = ([], [])
        for argument in fetch where argument["kind"] == "option" {
            for name in argument["names"]?.array ?? [] {
                let text = name["name"]?.string ?? ""
                if name["kind"] == "short" { withValue.formUnion(text) } else { long.insert("--\(text)") }
            }
        }
        #expect(withValue == CommandWords.shortOptionsWithValue)
        #expect(long.isSuperset(of: CommandWords.longOptionsWithAnyValue))
        #expect(long.isDisjoint(with: ForeignOption.all))
    }

    @Test
    func `the help names the twenty usual options, which exist`() async throws {
        let help = try await Tool.run(["--help"]).output
        let listed = help.split(separator: "\n").flatMap { line in
            line.matches(of: /^  (-[A-Za-z]|--[a-z-]+)(?:, (--[a-z-]+))?/).flatMap { [$0.output.1, $0.output.2] }
        }.compactMap { $0.map(String.init) }
        let all = try await Tool.run(["help", "fetch"]).output
        #expect(listed.count >= 40)
        for name in listed where name != "--version" { #expect(all.contains(name), "\(name)") }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `there are completions`(shell: String) async throws {
        let script = try await Tool.run(["--generate-completion-script", shell])
        #expect(script.status == 0 && script.output.contains("sockeye"))
        #expect(script.output.contains("cookie-jar") && script.output.contains("download"))
    }

    @Test
    func `help is on standard output and succeeds`() async throws {
        for arguments in [["--help"], ["help", "fetch"], ["bench", "--help"], ["--version"]] {
            let run = try await Tool.run(arguments)
            #expect(run.status == 0 && !run.output.isEmpty && run.error == "")
        }
    }
}
