import Sockeye
import SockeyeCore
import SockeyeEngine
import SockeyeEssentials

/// A parser of the files that ``RecordingWriter`` writes and people edit: a state machine that takes one line at a
/// time.
package struct RecordingReader {
    private enum Message {
        case request, interim, response
    }

    private enum Section {
        case head, body, trailers
    }

    /// The form of a body in the file: lines to join by LF (`lines`) or by CR LF (`returns`), or Base64.
    private enum Coding {
        case lines, returns, base64
    }

    private var exchanges: [RecordedExchange] = []
    private var message: Message?
    private var section = Section.head
    private var coding = Coding.lines
    /// The lines of the current body so far, still encoded; nil before the first line.
    private var body: [UInt8]?
    /// The number of the current line, counted from 1.
    private var number = 0

    /// Parses the text of a recording.
    ///
    /// - Throws: ``TestServerError`` with the code `badRecording`; the message names the line, or the exchange that is
    ///   incomplete.
    package static func exchanges(in text: String) throws -> [RecordedExchange] {
        var reader = RecordingReader()
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        let title = lines.first.map { String(Substring($0)) }
        guard title == RecordingWriter.firstLine || title == RecordingWriter.firstLine + "\r" else {
            throw TestServerError(
                .badRecording, "not a recording: the first line is not '\(RecordingWriter.firstLine)'")
        }
        for line in lines {
            reader.number += 1
            // A Git checkout may have converted the line ends to CR LF.
            let end: String.Index = line.lastIndex { $0 != 0x0D }.map { line.index(after: $0) } ?? line.startIndex
            try reader.take(String(Substring(line[..<end])))
        }
        try reader.endMessage()
        for (index, exchange) in reader.exchanges.enumerated()
        where exchange.request.method.isEmpty || exchange.response == nil && exchange.failure == nil {
            throw TestServerError(.badRecording, "the recorded exchange \(index + 1) has no request or no response")
        }
        return reader.exchanges
    }

    private func fault(_ message: String) -> TestServerError {
        TestServerError(.badRecording, "line \(number) of the recording: \(message.printable)")
    }

    private mutating func take(_ line: String) throws {
        switch line.utf8.first {
        case nil: try endMessage()
        case UInt8(ascii: "#"): break
        case UInt8(ascii: "="):
            try endMessage()
            exchanges.append(RecordedExchange(request: RecordedExchange.Request(method: "", url: "")))
        case UInt8(ascii: "*"): try takeDirective(line.dropFirst().drop { $0 == " " })
        case UInt8(ascii: ">"), UInt8(ascii: "<"):
            guard line.utf8.count == 1 || line.utf8.dropFirst().first == 0x20 else {
                throw fault("a space is missing after '\(line.prefix(1))'")
            }
            // Split by bytes, because a space and a following combining mark are one `Character`.
            try take(String(Substring(line.utf8.dropFirst(2))), isSent: line.utf8.first == UInt8(ascii: ">"))
        default: throw fault("the line does not begin with >, <, *, == or #")
        }
    }

    private mutating func take(_ text: String, isSent: Bool) throws {
        guard !exchanges.isEmpty else { throw fault("there is no '==' before this line") }
        guard let message else { return isSent ? try begin(request: text) : try begin(response: text) }
        guard isSent == (message == .request) else { throw fault("an empty line is missing before this line") }
        switch section {
        case .head where text.isEmpty:
            section = .body
            body = nil
        case .head, .trailers: try takeField(text)
        case .body:
            if body != nil { append(coding == .returns ? "\r\n" : "\n") }
            append(text)
        }
    }

    private mutating func append(_ text: String) {
        if body == nil { body = [] }
        body?.append(contentsOf: text.utf8)
    }

    private mutating func begin(request text: String) throws {
        let words = Self.words(of: text, maxSplits: 1)
        guard words.count == 2 else { throw fault("the first line of a request must be a method and a URL") }
        change { $0.request = RecordedExchange.Request(method: words[0], url: words[1]) }
        start(.request)
    }

    private mutating func begin(response text: String) throws {
        let words = Self.words(of: text, maxSplits: 2, omittingEmpty: false)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let version = Int(words[0].dropFirst(7)),
            let status = Int(words[1]), (100...999).contains(status)
        else { throw fault("the first line of a response must begin with a version such as 'HTTP/1.1' and a status") }
        let head = RecordedExchange.Head(
            status: status, reason: words.count > 2 ? words[2] : "", minorVersion: version)
        let isInterim = status < 200 && status != 101
        change {
            if isInterim { $0.interims.append(head) } else { $0.response = RecordedExchange.Response(head: head) }
        }
        start(isInterim ? .interim : .response)
    }

    private mutating func start(_ message: Message) {
        (self.message, section, coding, body) = (message, .head, .lines, nil)
    }

    private mutating func takeField(_ text: String) throws {
        // Split by bytes, because a separator and a following combining mark are one `Character`.
        guard let colon = text.utf8.firstIndex(of: 0x3A) else { throw fault("a field has no colon") }
        let name = Headers.Name(String(Substring(text.utf8[..<colon])))
        let value = String(Substring(text.utf8[colon...].dropFirst().drop { $0 == 0x20 }))
        let isTrailer = section == .trailers
        let message = message
        change { exchange in
            switch (message, isTrailer) {
            case (.request?, false): exchange.request.headers.append(name, value)
            case (.request?, true): exchange.request.trailers.append(name, value)
            case (.interim?, _): exchange.interims[exchange.interims.count - 1].headers.append(name, value)
            case (_, false): exchange.response?.head.headers.append(name, value)
            case (_, true): exchange.response?.trailers.append(name, value)
            }
        }
    }

    /// Returns the words between spaces. Splits by bytes, because a space and a following combining mark are one
    /// `Character`.
    private static func words(of text: some StringProtocol, maxSplits: Int, omittingEmpty: Bool = true) -> [String] {
        Array(text.utf8).split(separator: 0x20, maxSplits: maxSplits, omittingEmptySubsequences: omittingEmpty).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private mutating func takeDirective(_ text: Substring) throws {
        guard !exchanges.isEmpty else { throw fault("there is no '==' before this line") }
        let words = Self.words(of: text, maxSplits: 4)
        switch words.first {
        case "base64": coding = .base64
        case "crlf": coding = .returns
        case "trailers":
            try endBody()
            section = .trailers
        case "chunked": change { $0.request.isChunked = true }
        case "decoded": change { $0.response?.isDecoded = true }
        case "cut": change { $0.response?.isCut = true }
        case "pieces":
            let pieces = text.dropFirst("pieces".count).split(separator: " ").compactMap { Int($0) }.filter { $0 > 0 }
            change { $0.response?.pieces = pieces }
        case "error" where words.count >= 4:
            let failure = RecordedExchange.Failure(
                code: words[1], phase: words[2], blame: words[3], message: words.count > 4 ? words[4] : "")
            change { $0.failure = failure }
        default: throw fault("unknown directive: \(text.prefix(40))")
        }
    }

    private mutating func endMessage() throws {
        try endBody()
        message = nil
    }

    private mutating func endBody() throws {
        guard let text = body else { return }
        body = nil
        var bytes = Bytes(text)
        if coding == .base64 {
            guard let data = Data(base64Encoded: Data(text), options: .ignoreUnknownCharacters) else {
                throw fault("the body before this line is not valid Base64")
            }
            bytes = Bytes(data)
        }
        let message = message
        change { exchange in
            if message == .request { exchange.request.body = bytes } else { exchange.response?.body = bytes }
        }
    }

    private mutating func change(_ body: (inout RecordedExchange) -> Void) {
        body(&exchanges[exchanges.count - 1])
    }
}
