public import SockeyeEngine

extension HTTPClient {
    /// Many requests, of which at most `width` run at a time. See ``RequestBatch``.
    ///
    /// - Parameter serializer: What makes a value of each response, and says what Accept asks for where a request has no
    ///   such field.
    public func batch<Serializer: ResponseSerializer>(
        _ requests: [OutgoingRequest], atMost width: Int = 8, as serializer: Serializer
    ) -> RequestBatch<Serializer> {
        RequestBatch(requests, width: width, client: self, serializer: serializer)
    }

    /// GET requests for these URLs, absolute or relative to the client's base, of which at most `width` run at a time.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/invalidURL`` for the first that is none.
    public func batch<Serializer: ResponseSerializer>(
        _ urls: [some HTTPURLConvertible], atMost width: Int = 8, as serializer: Serializer
    ) throws(SockeyeError) -> RequestBatch<Serializer> {
        var requests: [OutgoingRequest] = []
        for url in urls {
            requests.append(OutgoingRequest(url: try scope.resolve(url)))
        }
        return batch(requests, atMost: width, as: serializer)
    }
}
