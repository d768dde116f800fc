import Sockeye
import SockeyeTestSupport
import Testing

@testable import SockeyeTesting

/// The file of a recording, without I/O.
@Suite("Recordings as text")
struct RecordingTextTests {
    private func exchange(
        _ body: String, response: String, change: (inout RecordedExchange) -> Void = { _ in }
    ) -> RecordedExchange {
        exchange(Bytes(body), response: Bytes(response), change: change)
    }

    private func exchange(
        _ body: Bytes, response: Bytes, change: (inout RecordedExchange) -> Void = { _ in }
    ) -> RecordedExchange {
        var exchange = RecordedExchange(
            request: .init(method: "POST", url: "https://h/p?q=1", headers: ["A": "1", "A": "2", "B": ""], body: body))
        exchange.response = .init(head: .init(status: 200, reason: "OK", headers: ["C": "x: y"]), body: response)
        change(&exchange)
        return exchange
    }

    @Test("a body of many lines is read in linear time")
    func longBody() throws {
        let line = String(repeating: "a", count: 99) + "\n"
        let recorded = exchange("", response: String(repeating: line, count: 60_000))
        let text = RecordingWriter.text([recorded])
        var read: [RecordedExchange] = []
        let time = try ProcessMeter.processorTime { read = try RecordingReader.exchanges(in: text) }
        #expect(read == [recorded])
        #expect(time < .seconds(15), "\(time)")
    }

    @Test("a recording is read as it was written, whatever its bodies")
    func roundTrip() throws {
        let texts = [
            "", "text", "\n", "a\n", "\na\n\n", "a\r\nb\r\n", "\r\n", "a\rb", "a\r\nb\n", "> a\n< b\n* c\n== d\n# e",
            " a ",
            "tab\there", "\u{0}", "\u{1F41F}\u{301}",
        ]
        let bodies = texts.map { Bytes($0) } + [[0xFF, 0xFE], Bytes((0..<2000).map { UInt8($0 % 256) })]
        var exchanges = bodies.flatMap { body in
            [exchange(body, response: Bytes()), exchange(Bytes(), response: body)]
        }
        exchanges.append(
            exchange("ab", response: "abcdef") { exchange in
                exchange.request.isChunked = true
                exchange.request.trailers = ["T": "1"]
                exchange.interims = [.init(status: 103, reason: "Early Hints", headers: ["Link": "</a>"])]
                exchange.response?.trailers = ["U": "2"]
                exchange.response?.pieces = [1, 2, 3]
                exchange.response?.isDecoded = true
                exchange.response?.isCut = true
                exchange.failure = .init(code: "timeout", phase: "body", blame: "peer", message: "a b  c")
            })
        exchanges.append(
            exchange("", response: "") { exchange in
                exchange.response = nil
                exchange.failure = .init(code: "timeout", phase: "head", blame: "peer", message: "")
            })
        let text = RecordingWriter.text(exchanges)
        let read = try RecordingReader.exchanges(in: text)
        #expect(read.count == exchanges.count)
        for (one, other) in zip(read, exchanges) { #expect(one == other) }
        // A checkout with CR LF gives the same exchanges.
        #expect(try RecordingReader.exchanges(in: text.replacing("\n", with: "\r\n")).count == exchanges.count)
        #expect(RecordingWriter.text(read) == text)
    }

    @Test("values that begin with a combining mark are read as they were written")
    func combiningMarks() throws {
        let recorded = exchange("", response: "") { exchange in
            exchange.request.headers = ["A": "\u{301}a"]
            exchange.response?.head.reason = "\u{301}OK"
            exchange.failure = .init(code: "timeout", phase: "body", blame: "peer", message: "\u{301}late")
        }
        let read = try RecordingReader.exchanges(in: RecordingWriter.text([recorded]))
        #expect(read == [recorded])
    }

    @Test("a recording is readable by people")
    func text() {
        let text = RecordingWriter.text([
            exchange("first\nsecond", response: "{\n  \"id\": 1\n}") { exchange in
                exchange.interims = [.init(status: 103, reason: "Early Hints", headers: ["Link": "</a.css>"])]
            }
        ])
        #expect(
            text == """
                # Sockeye recording 1

                == 1

                > POST https://h/p?q=1
                > A: 1
                > A: 2
                > B:
                >
                > first
                > second

                < HTTP/1.1 103 Early Hints
                < Link: </a.css>

                < HTTP/1.1 200 OK
                < C: x: y
                <
                < {
                <   "id": 1
                < }

                """)
    }

    @Test(
        "the error for a malformed recording names the line",
        arguments: [
            ("", "first line"), ("x", "first line"), ("# Sockeye recording 1\n> GET /", "line 2"),
            ("# Sockeye recording 1\n== 1\nGET /", "line 3"), ("# Sockeye recording 1\n== 1\n>GET /", "line 3"),
            ("# Sockeye recording 1\n== 1\n> GET", "line 3"), ("# Sockeye recording 1\n== 1\n< HTTP/2 200", "line 3"),
            ("# Sockeye recording 1\n== 1\n< HTTP/1.1 99", "line 3"),
            ("# Sockeye recording 1\n== 1\n> GET http://h/\n> A", "line 4"),
            ("# Sockeye recording 1\n== 1\n> GET http://h/\n< HTTP/1.1 200 OK", "line 4"),
            ("# Sockeye recording 1\n== 1\n> GET http://h/\n* nonsense", "line 4"),
            ("# Sockeye recording 1\n== 1\n> GET http://h/\n* base64\n>\n> A\n", "Base64"),
            ("# Sockeye recording 1\n== 1\n> GET http://h/\n", "no response"),
            ("# Sockeye recording 1\n== 1\n\n< HTTP/1.1 200 OK\n", "no request"),
        ])
    func faults(text: String, message: String) throws {
        let error = #expect(throws: TestServerError.self) { try RecordingReader.exchanges(in: text) }
        #expect(error?.code == .badRecording)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test("a damaged or truncated recording is read without a crash")
    func damage() {
        let text = Array(RecordingWriter.text([exchange(Bytes("a\nb"), response: [0xFF])]).utf8)
        for position in text.indices {
            for byte in [0x0A, 0x20, 0x2A, 0x3E, 0x3C, 0x00] as [UInt8] {
                var damaged = text
                damaged[position] = byte
                _ = try? RecordingReader.exchanges(in: String(decoding: damaged, as: UTF8.self))
            }
            _ = try? RecordingReader.exchanges(in: String(decoding: text[..<position], as: UTF8.self))
        }
    }
}
