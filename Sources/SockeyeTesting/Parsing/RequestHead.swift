import SockeyeCore

/// A parsed request head: the bytes as they came and where in them everything is.
///
/// Names and values become strings only when somebody asks, so that serving a small request costs few allocations.
struct RequestHead: Sendable {
    /// Where the content ends (RFC 9112 section 6).
    enum Framing: Sendable, Hashable {
        case none
        case length(Int)
        case chunked
    }

    /// A field line as offsets into the head's bytes.
    struct Line: Sendable {
        let name: Range<Int>
        let value: Range<Int>
    }

    var bytes = Bytes()
    var method = ""
    var target = ""
    var minorVersion = 1
    var lines: [Line] = []
    var framing = Framing.none
    var expectsContinue = false
    /// `close` or `keep-alive` in Connection.
    var asksToClose = false, asksToKeepAlive = false

    func name(of line: Line) -> String {
        String(decoding: bytes.slice(line.name), as: UTF8.self)
    }

    func value(of line: Line) -> String {
        String(decoding: bytes.slice(line.value), as: UTF8.self)
    }

    /// The value of the first field with this name, whatever the case of its letters.
    func firstValue(_ name: String) -> String? {
        let line = unsafe bytes.withUnsafeBytes { head in lines.first { unsafe head[$0.name].equalsIgnoringCase(name) }
        }
        return line.map(value(of:))
    }
}

/// What is wrong with a request, in one sentence.
struct MalformedRequest: Error, Hashable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
