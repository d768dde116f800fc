import Foundation
import Sockeye
import SockeyeTesting
import Testing

@Suite("sockeye on a terminal", .timeLimit(.minutes(3)))
struct TerminalRunTests {
    @Test
    func `JSON is indented and coloured`() async throws {
        let terminal = try PseudoTerminal(columns: 80)
        try await withTestServer { _ in
            .json(["a": 1])
        } run: { server in
            let run = try Tool.start([server.url()], streams: .init(output: terminal.handle))
            let text = await terminal.text()
            #expect(text == "{\r\n  \u{1B}[34m\"a\"\u{1B}[0m: \u{1B}[35m1\u{1B}[0m\r\n}\r\n")
            #expect(try await run.outcome().status == 0)
        }
    }

    @Test
    func `binary content is not shown`() async throws {
        let terminal = try PseudoTerminal(columns: 80)
        try await withTestServer { _ in
            .bytes(Bytes([0, 1, 2]))
        } run: { server in
            let run = try Tool.start([server.url()], streams: .init(output: terminal.handle))
            #expect(await terminal.text() == "")
            #expect(try await run.outcome().error.contains("--output"))
        }
    }

    @Test(arguments: [
        (["--pretty", "none"], "a\\u001b[2Jb\r\n"), (["--raw"], "a\u{1B}[2Jb\r\n"), (["-o", "-"], "a\\u001b[2Jb\r\n"),
    ])
    func `control sequences are escaped unless the user wants them`(arguments: [String], shown: String) async throws {
        let terminal = try PseudoTerminal(columns: 80)
        try await withTestServer { _ in
            .text("a\u{1B}[2Jb")
        } run: { server in
            let run = try Tool.start([server.url()] + arguments, streams: .init(output: terminal.handle))
            #expect(await terminal.text() == shown)
            #expect(try await run.outcome().status == 0)
        }
    }

    @Test
    func `JSON is shown as far as it has arrived if the rest is missing`() async throws {
        let terminal = try PseudoTerminal(columns: 80)
        try await withTestServer { _ in
            .bytes(Bytes(#"{"a":1}"#), contentType: "application/json").cut(after: 5)
        } run: { server in
            let run = try Tool.start([server.url()], streams: .init(output: terminal.handle))
            #expect(await terminal.text() == #"{"a":"#)
            #expect(try await run.outcome().status == 18)
        }
    }

    @Test
    func `--no-buffer prints JSON as it arrives`() async throws {
        let terminal = try PseudoTerminal(columns: 80)
        try await withTestServer { _ in
            .bytes(Bytes(#"{"a":1}"#), contentType: "application/json")
        } run: { server in
            let run = try Tool.start([server.url(), "-N"], streams: .init(output: terminal.handle))
            #expect(await terminal.text() == "{\"a\":1}\r\n")
            #expect(try await run.outcome().status == 0)
        }
    }

    // The bar adapts to the terminal's present width.
    @Test
    func `a bar never fills its line, also when the terminal is made narrower`() async throws {
        let terminal = try PseudoTerminal(columns: 100)
        let folder = try Tool.Folder()
        let isNarrow = TestSignal()
        let size = 4 << 20
        try await withTestServer { (_: TestRequest, responder: TestResponder) in
            let chunk = Bytes([UInt8](repeating: 7, count: size / 4))
            try await responder.sendHead(length: size)
            try await responder.write(chunk)
            try await isNarrow.wait()
            for _ in 0..<3 { try await responder.write(chunk) }
            try await responder.finish()
        } run: { server in
            let run = try Tool.start(
                ["download", server.url("/f"), "-o", "f"], in: folder, streams: .init(error: terminal.handle))
            var text = ""
            var before = ""
            for await piece in terminal.pieces() {
                text += piece
                if !isNarrow.isFired, text.contains("░") {
                    before = text
                    terminal.resize(to: 30)
                    isNarrow.fire()
                }
            }
            #expect(try await run.outcome().status == 0)
            #expect(Self.lines(before).allSatisfy { $0.count < 100 })
            // Output that was drawn before the resizing may be read after it.
            let after = Self.lines(String(text.dropFirst(before.count))).drop { $0.count >= 30 }
            #expect(after.contains { $0.contains("100 %") })
            #expect(after.allSatisfy { $0.count < 30 }, "\(after)")
            #expect(folder.read("f")?.count == size)
        }
    }

    /// The content of the screen after each drawing.
    private static func lines(_ text: String) -> [String] {
        var plain = text.replacing("\r\n", with: "\r")
        while let escape = plain.firstRange(of: /\u{1B}\[[0-9]*[A-Z]/) { plain.replaceSubrange(escape, with: "") }
        return plain.split(separator: "\r").map(String.init).filter { !$0.contains("/") || $0.contains("%") }
    }
}
