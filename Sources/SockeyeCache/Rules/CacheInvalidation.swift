/// Invalidation of stored responses by a response to an unsafe method (RFC 9111 4.4).
extension CacheRequest {
    /// Returns the keys to invalidate: the key of the target URL, and the keys of the URLs in Location and
    /// Content-Location that have the same origin. Empty if the method is safe, or if the status is neither 2xx nor
    /// 3xx.
    ///
    /// - Parameters:
    ///   - status: The status of the response. Nil if there was no response; the key of the target URL is then
    ///     invalidated, because the effect of the request is unknown.
    ///   - headers: The fields of the response.
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
