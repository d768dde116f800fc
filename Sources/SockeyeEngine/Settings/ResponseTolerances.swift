import SockeyeCore

/// What a response may do wrong and still be accepted, for servers that cannot be changed. Nothing by default: each of these
/// gives up some safety, so it is best set for those servers alone, with `scoped(tolerances:)` or for a call with
/// ``OutgoingRequest/Options/tolerances``.
///
/// The error of a response that one of them would have accepted names it.
public struct ResponseTolerances: OptionSet, Sendable, Hashable {
    /// One bit for each.
    public let rawValue: Int

    /// Makes a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Lines of a response head that end in a line feed without a carriage return (RFC 9112 2.2), as those of CGI programs
    /// do behind small servers: busybox httpd, mini_httpd, Python's `http.server`.
    ///
    /// Text that such a program lets into a field with a line feed in it becomes fields of their own. The connection of such
    /// a response is not used again. Chunk sizes, trailers and the answers of proxies to CONNECT have to be well-formed all
    /// the same.
    public static let bareLineFeeds = ResponseTolerances(rawValue: 1)

    /// Over TLS, a body without a length that ends with the connection, though no close_notify came before its end. RFC 9112
    /// 9.8 has such a response count as incomplete, since whoever can end the connection can cut the body short.
    ///
    /// Bodies with a length or in chunks need no such leave: their end is known.
    public static let missingCloseNotify = ResponseTolerances(rawValue: 2)
}

extension ResponseTolerances {
    package static let names: [(name: String, member: ResponseTolerances)] = [
        ("bareLineFeeds", .bareLineFeeds), ("missingCloseNotify", .missingCloseNotify),
    ]

    /// For the text of an error that `member` would have spared.
    static func hint(_ member: ResponseTolerances) -> String {
        names.first { $0.member == member }.map { "; ResponseTolerances.\($0.name) allows it" } ?? ""
    }
}
