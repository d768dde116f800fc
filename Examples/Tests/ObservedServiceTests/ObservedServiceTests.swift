import Configuration
import Foundation
import Logging
import ServiceLifecycle
import SockeyeTesting
import Testing

@testable import ObservedService

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

    @Test("a graceful shutdown ends the group without an error, and running requests get their responses")
    func gracefulShutdown() async throws {
        let isReleased = TestSignal()
        try await withTestServer { request in
            if request.path == "/slow" { try await isReleased.wait() }
            return .ok("Less is more.")
        } run: { server in
            let url = server.url(host: "localhost")
            let config = ConfigReader(
                provider: InMemoryProvider(values: ["quotes.url": .init(.string(url), isSecret: false)]))
            let logger = Logger(label: "quotes") { _ in SwiftLogNoOpLogHandler() }
            let service = try QuoteService(config: config, logger: logger)
            let group = service.group(logger)
            let running = Task { try await group.run() }
            try await server.wait { $0.requests == 1 }
            let slow = Task { try await service.client.get("slow").text() }
            try await server.wait { $0.requests == 2 }
            await group.triggerGracefulShutdown()
            isReleased.fire()
            #expect(try await slow.value == "Less is more.")
            try await running.value
        }
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
