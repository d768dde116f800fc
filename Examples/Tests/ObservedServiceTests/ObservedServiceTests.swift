import Foundation
import ObservedService
import Testing

@Suite("An observed service", .timeLimit(.minutes(1)))
struct ObservedServiceTests {
    @Test("a call has the logs, spans and metrics that the documentation shows, except for times and ports")
    func report() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let article = root.appending(path: "Sources/Sockeye/Documentation.docc/Observability.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        let block = try #require(text.split(separator: "```text\n").dropFirst().first).split(separator: "\n```")[0]
        let shown = unwrapped(block).map(general)
        let printed = try await Report.lines().map(general)
        #expect(printed.sorted() == shown.sorted())
    }

    /// Returns the lines of the article. The rest of a wrapped line is indented by at least four columns more.
    private func unwrapped(_ block: Substring) -> [String] {
        var (lines, indentation) = ([String](), 0)
        for line in block.split(separator: "\n", omittingEmptySubsequences: false) {
            let own = line.prefix { $0 == " " }.count
            if let last = lines.last, own >= indentation + 4 {
                lines[lines.count - 1] = last + (last.hasSuffix(",") ? "" : " ") + line.dropFirst(own)
            } else {
                lines.append(String(line))
                indentation = own
            }
        }
        return lines
    }

    /// Returns the line without times, ports and ids.
    private func general(_ line: String) -> String {
        line.replacing(#/\d+\.\d+ ms/#, with: "… ms").replacing(#/duration=[\d.e-]+/#, with: "duration=…")
            .replacing(#/(port=|localhost:)\d+/#) { "\($0.1)…" }.replacing(#/call\.id=\d+/#, with: "call.id=…")
    }
}
