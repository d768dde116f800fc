package import SockeyeCore

/// The bytes of a peer that never pauses: a start, followed by a block that is repeated until the connection ends.
package struct EndlessAnswer: Sendable, CustomStringConvertible {
    package let description: String
    package let start: Bytes
    package let block: Bytes
    /// True if the peer reads a request head before it sends. SOCKS has no request head.
    package let followsHead: Bool

    package init(_ description: String, start: Bytes, block: Bytes, followsHead: Bool = true) {
        self.description = description
        self.start = start
        self.block = block
        self.followsHead = followsHead
    }

    /// Makes an HTTP response from its head and content.
    ///
    /// - Parameters:
    ///   - fields: The lines of the head without line ends.
    ///   - begin: The content before the first repetition.
    ///   - unit: The repeated content; the block has about 64 KiB of it.
    private init(_ description: String, _ fields: [String], _ begin: String = "", repeating unit: String) {
        let head = (["HTTP/1.1 200 OK"] + fields + ["", ""]).joined(separator: "\r\n")
        self.init(description, start: Bytes(head + begin), block: Self.block(of: Array(unit.utf8)))
    }

    package static func block(of unit: [UInt8]) -> Bytes {
        Bytes(repeating: unit, count: max(1, (64 << 10) / unit.count) * unit.count)
    }
}

/// HTTP responses.
extension EndlessAnswer {
    private static let chunked = "Transfer-Encoding: chunked"
    /// The largest accepted length, so no test reaches the end of the content.
    private static let length = "Content-Length: 4611686018427387904"

    package static let untilClose = EndlessAnswer("content that the connection ends", [], repeating: "x")
    package static let announced = EndlessAnswer("content of an announced length", [length], repeating: "x")
    /// A reader lets other tasks run after a mebibyte of content. In a debug build, that takes seconds with chunks of a
    /// byte, and a request beside several such readers would miss its deadline.
    package static let chunks = EndlessAnswer(
        "chunks of 128 bytes", [chunked], repeating: "80\r\n" + String(repeating: "x", count: 128) + "\r\n")
    package static let lines = EndlessAnswer("empty lines", [length], repeating: "\n")
    package static let events = EndlessAnswer(
        "events", [length, "Content-Type: text/event-stream"], repeating: "data\n\n")
    package static let comments = EndlessAnswer(
        "comments of an event stream", [length, "Content-Type: text/event-stream"], repeating: ":\n")
    package static let jsonLines = EndlessAnswer("JSON lines", [length], repeating: "1\n")
    package static let blankLines = EndlessAnswer("blank lines among JSON lines", [length], repeating: " \n")
    package static let jsonSequence = EndlessAnswer("a JSON text sequence", [length], repeating: "\u{1E}1\n")
    package static let part = EndlessAnswer(
        "the content of a part", [length, "Content-Type: multipart/mixed; boundary=b"], "--b\r\n\r\n",
        repeating: "\r\n--x")
    package static let parts = EndlessAnswer(
        "parts", [length, "Content-Type: multipart/mixed; boundary=b"], "--b", repeating: "\r\n\r\n\r\n--b")
    package static let elements = EndlessAnswer(
        "XML elements", [length, "Content-Type: application/xml"], "<a>", repeating: "<b/>")
    package static let image = EndlessAnswer(
        "segments of a JPEG file",
        start: Bytes(Array("HTTP/1.1 200 OK\r\n\(length)\r\nContent-Type: image/jpeg\r\n\r\n".utf8) + [0xFF, 0xD8]),
        block: block(of: [0xFF, 0xFE, 0x00, 0x02]))
    package static let interim = EndlessAnswer(
        "interim responses", start: Bytes(), block: block(of: Array("HTTP/1.1 102 Processing\r\n\r\n".utf8)))
    /// Also used as a proxy's answer to CONNECT.
    package static let fields = EndlessAnswer(
        "fields of a head", start: Bytes("HTTP/1.1 200 OK\r\n"), block: block(of: Array("A: b\r\n".utf8)))
    package static let refusal = EndlessAnswer(
        "content of a refusal", start: Bytes("HTTP/1.1 403 Forbidden\r\n\(length)\r\n\r\n"),
        block: block(of: Array("no ".utf8)))
    package static let socks = EndlessAnswer(
        "replies of a SOCKS proxy", start: Bytes(), block: block(of: [5, 0]), followsHead: false)
}

/// WebSocket frames (RFC 6455 5.2) as a server sends them.
extension EndlessAnswer {
    package static let emptyFrames = EndlessAnswer(
        "a byte for every two hundred frames without payload", start: [0x01, 0x01, 0x61],
        block: block(of: [UInt8](repeating: 0, count: 400) + [0x00, 0x01, 0x61]))
    package static let longMessage = EndlessAnswer(
        "a message without an end", start: [0x02, 0x01, 0x61],
        block: Bytes([0x00, 127, 0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 0x61, count: 1 << 16)))
    package static let smallMessages = EndlessAnswer(
        "messages of a byte", start: Bytes(), block: block(of: [0x81, 0x01, 0x61]))
    package static let pings = EndlessAnswer("pings", start: Bytes(), block: block(of: [0x89, 0x00]))
}
