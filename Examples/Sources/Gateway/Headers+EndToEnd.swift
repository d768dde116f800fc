import Sockeye

extension Headers {
    /// The fields without the hop-by-hop ones (RFC 9110 7.6.1): those that Connection names, those that are known to belong
    /// there, and Trailer, as trailers are not passed on.
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
