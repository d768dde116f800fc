import Foundation
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
