import Sockeye
import SockeyeDiagnostics
import Testing

@testable import SockeyeToolKit

@Suite("What --verbose and --write-out print")
struct TranscriptTests {
    @Test
    func `the head of a request has all fields, with secrets masked`() throws {
        var request = try OutgoingRequest(method: .post, url: "http://ada:pw@h:81/p?token=secret&a=1")
        request.headers = ["X-Api-Key": "secret", "X-A": "1", "X-B": "b:"]
        request.body = .bytes(Bytes("text"))
        let lines = SentHead(request, request.curlCommand()).lines
        #expect(lines.first == "POST /p?token=***&a=1 HTTP/1.1")
        #expect(lines.contains("Host: h:81") && lines.contains("X-A: 1") && lines.contains("X-Api-Key: ***"))
        #expect(lines.contains("X-B: b:") && !lines.contains { $0.hasPrefix("Content-Type") })
        #expect(lines.contains("Authorization: ***") && lines.last == "Content-Length: 4")
        let shown = SentHead(request, request.curlCommand(showingSecrets: true)).lines
        #expect(shown.contains("X-Api-Key: secret") && shown.contains("Authorization: Basic YWRhOnB3"))
    }

    @Test
    func `fields of a response are masked by the library's list`() {
        let headers: Headers = [
            "Set-Cookie": "s=secret", "Location": "http://h/?token=secret", "Content-Length": "4", "X-Empty": "",
            "Proxy-Authorization": "secret", "X-Mark": "a\u{202E}b",
        ]
        let lines = MaskedFields(headers, showsSecrets: false).lines
        #expect(
            lines == [
                "Set-Cookie: ***", "Location: http://h/?token=***", "Content-Length: 4", "X-Empty: ",
                "Proxy-Authorization: ***", #"X-Mark: a\u202eb"#,
            ])
        #expect(MaskedFields(headers, showsSecrets: true).lines[0] == "Set-Cookie: s=secret")
    }

    private static func facts() -> TransferFacts {
        var facts = TransferFacts(method: "GET", url: "http://h/a")
        facts.effectiveURL = "http://h/b"
        facts.status = 200
        facts.minorVersion = 1
        facts.headers = ["Content-Type": "text/plain", "X-A": "1", "x-a": "2"]
        facts.elapsed = .milliseconds(1500)
        return facts
    }

    @Test(arguments: [
        ("%{http_code} %{url} %{url_effective}", "200 http://h/a http://h/b"), ("100%% %x", "100% %x"),
        (#"\t%{scheme}\n\q"#, "\tHTTP\n\\q"), ("%header{X-A}|%header{none}|", "1||"), ("%{time_total}", "1.500000"),
        ("%{header_json}", #"{"content-type":["text/plain"],"x-a":["1","2"]}"#), ("a%{onerror}b", "a"), ("%{", "%{"),
        ("%{stderr}x%{stdout}y", "y"), ("%{num_headers} %{http_version}", "3 1.1"), ("", ""),
    ])
    func `a format prints the facts of a transfer`(format: String, text: String) throws {
        #expect(try WriteOutFormat(format).texts(Self.facts()).output == text)
    }

    @Test
    func `a transfer without a response has zeros`() throws {
        var facts = TransferFacts(method: "GET", url: "http://h/a")
        facts.exitStatus = 7
        let format = try WriteOutFormat("%{http_code} %{size_download} %{time_connect} %{onerror}!%{exitcode}")
        #expect(format.texts(facts).output == "000 0 0.000000 !7")
    }

    @Test
    func `an unknown variable is an error that names the known ones`() {
        let fault = #expect(throws: UsageFault.self) { try WriteOutFormat("%{bogus}") }
        #expect(fault?.description.contains("http_code") == true)
    }

    @Test(
        arguments: [
            ([0x61, 0x0A, 0x09], "a\n\t"), ([0x1B, 0x5B], #"\u001b["#), ([0x0D, 0x0A], "\r\n"),
            ([0x0D, 0x61], #"\u000da"#),
            ([0xC3, 0xBC], "ü"), ([0xC2, 0x9B], #"\u009b"#), ([0x9B], #"\x9b"#), ([0xC3], #"\xc3"#),
            ([0xF0, 0x9F, 0x98, 0x80], "😀"), ([0xE2, 0x80, 0xAE], #"\u202e"#), ([0xC0, 0x80], #"\xc0\x80"#),
            ([0xD8, 0x9C], #"\u061c"#),
            ([0x0D], #"\u000d"#),
        ] as [([UInt8], String)])
    func `control sequences are escaped, in one piece and byte by byte`(bytes: [UInt8], text: String) {
        var whole = TerminalFilter()
        let pieces = [whole.escaping(Bytes(bytes)), whole.finish()]
        #expect(pieces.map { String(decoding: $0, as: UTF8.self) }.joined() == text)
        var parts = TerminalFilter()
        let single = bytes.map { parts.escaping(Bytes([$0])) } + [parts.finish()]
        #expect(single.map { String(decoding: $0, as: UTF8.self) }.joined() == text)
    }
}
