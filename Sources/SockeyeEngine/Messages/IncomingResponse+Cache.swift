extension IncomingResponse {
    /// True if the response came from a cache, so that repeating the request would return the same one.
    package var isFromCache: Bool { cacheContact != .answered }

    /// The server's part in the response: answered, failed, or not asked.
    package var cacheContact: CacheOutcome.Contact { cacheOutcome?.contact ?? .answered }
}
