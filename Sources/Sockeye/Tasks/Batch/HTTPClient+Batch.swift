extension HTTPClient {
    /// Many requests, of which at most `width` run at a time. See ``RequestBatch``.
    ///
    /// - Parameter serializer: What makes a value of each response.
    public func batch<Serializer: ResponseSerializer>(
        _ requests: [Request], atMost width: Int = 8, as serializer: Serializer
    ) -> RequestBatch<Serializer> {
        RequestBatch(requests, width: width, client: self, serializer: serializer)
    }

    /// GET requests for these URLs, absolute or relative to the client's base, of which at most `width` run at a time.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/invalidURL`` for the first that is none.
    public func batch<Serializer: ResponseSerializer>(
        _ urls: [String], atMost width: Int = 8, as serializer: Serializer
    ) throws(SockeyeError) -> RequestBatch<Serializer> {
        var requests: [Request] = []
        for url in urls {
            let headers = asking(serializer.accept, in: [:])
            requests.append(Request(url: try scope.resolve(url), headers: headers))
        }
        return batch(requests, atMost: width, as: serializer)
    }
}
