import HTTPTypes

extension HTTPFields {
    /// The fields without the hop-by-hop ones (RFC 9110 7.6.1): those that Connection names, those that are known to belong
    /// there, and Trailer, as trailers are not passed on.
    var endToEnd: HTTPFields {
        let named = self[values: .connection].flatMap { $0.split(separator: ",") }
            .compactMap { HTTPField.Name(String($0.filter { $0 != " " && $0 != "\t" })) }
        let hopByHop = Self.hopByHop.union(named)
        return filter { !hopByHop.contains($0.name) }
    }

    private static let hopByHop: Set<HTTPField.Name> = [
        .connection, .te, .trailer, .transferEncoding, .upgrade,
        HTTPField.Name("Keep-Alive")!, HTTPField.Name("Proxy-Connection")!,
    ]
}
