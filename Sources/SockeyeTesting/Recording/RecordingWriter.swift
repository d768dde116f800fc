import Sockeye
import SockeyeEssentials

/// Writes exchanges as text: HTTP messages as curl shows them, with `>` before sent lines and `<` before received
/// lines.
///
/// Other lines begin with `*` (a directive about the surrounding message), `==` (the start of an exchange) or `#` (a
/// comment). An empty line ends a message.
package struct RecordingWriter {
    static let firstLine = "# Sockeye recording 1"

    private var lines = [RecordingWriter.firstLine]

    package static func text(_ exchanges: [RecordedExchange]) -> String {
        var writer = RecordingWriter()
        for (index, exchange) in exchanges.enumerated() { writer.write(exchange, number: index + 1) }
        return writer.lines.joined(separator: "\n") + "\n"
    }

    private mutating func write(_ exchange: RecordedExchange, number: Int) {
        lines += ["", "== \(number)", ""]
        write(exchange.request)
        for interim in exchange.interims {
            lines.append("")
            write(interim)
        }
        if let response = exchange.response {
            lines.append("")
            write(response)
        }
        if let failure = exchange.failure {
            if exchange.response == nil { lines.append("") }
            let words = [failure.code, failure.phase, failure.blame, failure.message].filter { !$0.isEmpty }
            lines.append("* error " + words.joined(separator: " "))
        }
    }

    private mutating func write(_ request: RecordedExchange.Request) {
        lines.append("> \(request.method) \(request.url)")
        write(request.headers, mark: ">")
        if request.isChunked { lines.append("* chunked") }
        write(request.body, mark: ">")
        write(trailers: request.trailers, mark: ">")
    }

    private mutating func write(_ head: RecordedExchange.Head) {
        lines.append(Self.line("<", "HTTP/1.\(head.minorVersion) \(head.status) \(head.reason)"))
        write(head.headers, mark: "<")
    }

    private mutating func write(_ response: RecordedExchange.Response) {
        write(response.head)
        if response.isDecoded { lines.append("* decoded") }
        if response.isCut { lines.append("* cut") }
        if !response.pieces.isEmpty {
            lines.append("* pieces " + response.pieces.map(String.init).joined(separator: " "))
        }
        write(response.body, mark: "<")
        write(trailers: response.trailers, mark: "<")
    }

    private mutating func write(_ headers: Headers, mark: String) {
        for (name, value) in headers { lines.append("\(mark) \(name):" + (value.isEmpty ? "" : " \(value)")) }
    }

    private mutating func write(trailers: Headers, mark: String) {
        guard !trailers.isEmpty else { return }
        lines.append("* trailers")
        write(trailers, mark: mark)
    }

    private mutating func write(_ body: Bytes, mark: String) {
        guard !body.isEmpty else { return }
        let text: String
        switch RecordedText(body) {
        case .lines(let plain): text = plain
        case .linesWithReturns(let plain):
            lines.append("* crlf")
            text = plain
        case .binary:
            lines.append("* base64")
            text = Data(body).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
        }
        lines.append(mark)
        for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
            lines.append(Self.line(mark, String(Substring(line))))
        }
    }

    /// Omits the space after the mark if the text is empty, because editors remove trailing spaces.
    private static func line(_ mark: String, _ text: String) -> String { text.isEmpty ? mark : "\(mark) \(text)" }
}

/// The representation of a body in a recording.
enum RecordedText {
    /// Text with lines that end in LF.
    case lines(String)
    /// Text with lines that all end in CR LF. The associated string has no CR.
    case linesWithReturns(String)
    /// A body that an editor might damage or that people cannot read.
    case binary

    init(_ body: Bytes) {
        guard let text = String(validating: body, as: UTF8.self) else {
            self = .binary
            return
        }
        var (returns, feeds, pairs, last) = (0, 0, 0, UInt8(0))
        for byte in body {
            switch byte {
            case 0x0A:
                feeds += 1
                if last == 0x0D { pairs += 1 }
            case 0x0D: returns += 1
            case 0x09: break
            case 0..<0x20, 0x7F:
                self = .binary
                return
            default: break
            }
            last = byte
        }
        switch (returns, feeds) {
        case (0, _): self = .lines(text)
        case (pairs, pairs):
            self = .linesWithReturns(String(decoding: body.filter { $0 != 0x0D }, as: UTF8.self))
        default: self = .binary
        }
    }
}
