/// What a response to an unsafe method says of stored ones (RFC 9111 4.4).
extension CacheInquiry {
    /// The keys of what is no longer to be used: the target's, and those of Location and Content-Location at the same origin.
    ///
    /// - Parameters:
    ///   - status: Nil where there was no response, and nobody knows what was done.
    ///   - headers: The response's.
    package func invalidatedKeys(status: Int?, headers: Headers) -> [String] {
        guard !isSafe, status.map({ (200...399).contains($0) }) ?? true else { return [] }
        var keys = [key]
        for value in headers[values: .location] + headers[values: .contentLocation] {
            guard let other = try? url.resolving(value), other.isSameOrigin(as: url) else { continue }
            if !keys.contains(other.cacheKey) { keys.append(other.cacheKey) }
        }
        return keys
    }
}
