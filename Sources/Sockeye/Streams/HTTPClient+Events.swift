public import FoundationEssentials
public import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP
public import SockeyeSerialization

extension HTTPClient {
    /// The server-sent events of a resource, which is asked for by GET when the stream is iterated.
    ///
    /// ```swift
    /// for try await event in client.events("feed") { print(event.name, event.data) }
    /// for try await tick in client.events("ticks").values(of: Tick.self) { print(tick.price) }
    /// ```
    ///
    /// Accept and `Cache-Control: no-cache` are sent unless call or scope have these fields. No content coding is asked for unless
    /// ``OutgoingRequest/Options/decompresses`` is true; one that the server applies unasked is undone, event by event, and one
    /// that this library does not know is ``SockeyeError/Code-swift.struct/badContentCoding``.
    ///
    /// - Parameters:
    ///   - url: As for ``get(_:query:headers:options:)``.
    ///   - query: Parameters to append to the URL's query.
    ///   - headers: Fields of the request.
    ///   - options: Deadlines and policies of its requests; limits and rules of reconnecting, see
    ///     ``OutgoingRequest/Options/eventStream``.
    /// - Returns: The stream, which throws what is wrong with the request when it is iterated.
    public func events(
        _ url: some HTTPURL.Convertible, query: RequestParameters = [:], headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) -> EventStream {
        events(.get, url, query: query, headers: headers, options: options)
    }

    /// The server-sent events that answer a request with any method, which is sent when the stream is iterated.
    ///
    /// ```swift
    /// for try await event in client.events(.post, "chat", .json(question)) { print(event.data) }
    /// ```
    ///
    /// The content is encoded at once. A stream of another method than GET is not connected to again, unless
    /// ``EventStream/Options/reconnects`` says so. Otherwise as ``events(_:query:headers:options:)``.
    public func events(
        _ method: HTTPRequest.Method, _ url: some HTTPURL.Convertible, _ content: Content? = nil,
        query: RequestParameters = [:], headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) -> EventStream {
        let request = Result { () throws(SockeyeError) in
            try makeRequest(
                method, url, content, query: query, headers: addingEventFields(to: headers),
                options: options.forEventStream)
        }
        return EventStream(source: .call(self, request), options: options.eventStream)
    }

    private func addingEventFields(to headers: Headers) -> Headers {
        var headers = addingAccept("text/event-stream", in: headers)
        if !headers.contains(.cacheControl), !scope.headers.contains(.cacheControl) {
            headers.append(.cacheControl, "no-cache")
        }
        return headers
    }
}

extension OutgoingRequest.Options {
    /// Without settings for content that comes to an end: limit, request for a coding, cache.
    fileprivate var forEventStream: OutgoingRequest.Options {
        with { options in
            options.bodyLimit = options.bodyLimit ?? .max
            options.decompresses = options.decompresses ?? false
            options.skippedStages.insert(.cache)
        }
    }
}

extension IncomingResponse.Body {
    /// The content as server-sent events, whatever Content-Type says: a single pass, like the body itself, which is over with
    /// the response. See ``HTTPClient/EventStream``; nothing is connected to again.
    public var events: HTTPClient.EventStream { events(limits: ServerSentEvent.Limits()) }

    /// The content as server-sent events, with other limits. See ``events-swift.property``.
    public func events(limits: ServerSentEvent.Limits) -> HTTPClient.EventStream {
        var options = HTTPClient.EventStream.Options()
        options.limits = limits
        return HTTPClient.EventStream(source: .body(self), options: options)
    }

    /// The data of server-sent events, decoded as JSON. See ``HTTPClient/EventStream/values(of:until:decoder:)``.
    ///
    /// - Parameters:
    ///   - type: What the data of an event is decoded to.
    ///   - sentinel: Data that ends the stream, such as `[DONE]`. Default nil: none.
    ///   - decoder: Strategies for dates, keys and so on; nil, the default, for none.
    public func events<Value: Decodable>(
        of type: Value.Type, until sentinel: String? = nil, decoder: JSONDecoder? = nil
    ) -> HTTPClient.EventStream.Values<Value> {
        events.values(of: type, until: sentinel, decoder: decoder)
    }
}
