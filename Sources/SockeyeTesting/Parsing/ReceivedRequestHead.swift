import SockeyeCore

/// A parsed request head: the received bytes, and the positions of its parts in them.
///
/// Names and values become strings only on demand, so serving a small request needs few allocations.
struct ReceivedRequestHead: Sendable {
    /// The rule that delimits the content (RFC 9112 section 6).
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
    /// True if the Connection field has `close` or `keep-alive`, respectively.
    var asksToClose = false, asksToKeepAlive = false

    func name(of line: Line) -> String {
        String(decoding: bytes.slice(line.name), as: UTF8.self)
    }

    func value(of line: Line) -> String {
        String(decoding: bytes.slice(line.value), as: UTF8.self)
    }

    /// Returns the value of the first field with this name, compared case-insensitively.
    func firstValue(_ name: String) -> String? {
        let line = unsafe bytes.withUnsafeBytes { head in lines.first { unsafe head[$0.name].equalsIgnoringCase(name) }
        }
        return line.map(value(of:))
    }
}

/// An error with a short description of the fault in a malformed request, such as "a field line without a colon".
struct MalformedRequest: Error, Hashable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
