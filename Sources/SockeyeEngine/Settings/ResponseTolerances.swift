import SockeyeCore

/// The protocol errors that are accepted in a response, for servers that cannot be changed. Default: none.
///
/// Each tolerance gives up some safety. Set it only for those servers: in a scoped client (see `scoped` of
/// ``HTTPClient``) or for a single request (``OutgoingRequest/Options/tolerances``). If a tolerance would have accepted
/// a response that failed, the error names that tolerance.
public struct ResponseTolerances: OptionSet, Sendable, Hashable {
    /// The set as bits, one for each tolerance.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Lines of a response head that end in a line feed without a carriage return (RFC 9112 2.2). CGI programs behind
    /// small servers send such lines: busybox httpd, mini_httpd, Python's `http.server`.
    ///
    /// If such a program copies text with a line feed into a field, the author of the text can add fields to the
    /// response. The connection is therefore not reused after any response with bare line feeds. Chunk sizes, trailers
    /// and the answers of proxies to CONNECT must be well-formed nevertheless.
    public static let bareLineFeeds = ResponseTolerances(rawValue: 1)

    /// The end of a TLS connection without a close_notify alert, accepted as the end of a body that has neither a
    /// length nor chunks. RFC 9112 9.8 treats the response as incomplete, because an attacker that can end the
    /// connection can cut the body short.
    public static let missingCloseNotify = ResponseTolerances(rawValue: 2)
}

extension ResponseTolerances {
    package static let names: [(name: String, member: ResponseTolerances)] = [
        ("bareLineFeeds", .bareLineFeeds), ("missingCloseNotify", .missingCloseNotify),
    ]

    /// The hint in the text of an error that `member` would have avoided.
    static func hint(_ member: ResponseTolerances) -> String {
        names.first { $0.member == member }.map { "; ResponseTolerances.\($0.name) allows it" } ?? ""
    }
}
