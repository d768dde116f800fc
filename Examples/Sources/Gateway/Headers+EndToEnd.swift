import Sockeye

extension Headers {
    /// The fields without hop-by-hop fields (RFC 9110 7.6.1): those that Connection lists, well-known ones, and
    /// Trailer, because trailers are not forwarded.
    var endToEnd: Headers {
        let named = self[values: .connection].flatMap { $0.split(separator: ",") }
            .map { Headers.Name(String($0.filter { $0 != " " && $0 != "\t" })) }
        let hopByHop = Self.hopByHop.union(named)
        var fields = self
        for name in hopByHop { fields.removeAll(named: name) }
        return fields
    }

    private static let hopByHop: Set<Headers.Name> = [
        .connection, .te, .trailer, .transferEncoding, .upgrade, .keepAlive, .proxyConnection,
    ]
}
