extension IncomingResponse {
    /// True if a cache produced the response without an answer of the server, so that repeating the request would
    /// usually return the same response.
    package var isFromCache: Bool { cacheContact != .answered }

    /// The server's part in the response: answered, failed, or not asked. Without a cache: answered.
    package var cacheContact: CacheOutcome.Contact { cacheOutcome?.contact ?? .answered }
}
