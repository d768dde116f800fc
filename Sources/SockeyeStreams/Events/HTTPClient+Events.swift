public import HTTPTypes
public import SockeyeEngine
public import SockeyeEssentials
public import SockeyeHTTP
public import SockeyeSerialization

extension HTTPClient {
    /// The server-sent events of a resource. A GET is sent when the stream is iterated.
    ///
    /// ```swift
    /// for try await event in client.events("feed") { print(event.name, event.data) }
    /// for try await tick in client.events("ticks").values(of: Tick.self) {
    ///     print(tick.price)
    /// }
    /// ```
    ///
    /// `Accept: text/event-stream` and `Cache-Control: no-cache` are sent unless the call or the client's scope (see
    /// `scoped` of ``/Sockeye/HTTPClient``) sets these fields. No content coding is requested unless
    /// ``/Sockeye/OutgoingRequest/Options/decompresses`` is true. A coding that the server applies anyway is decoded as
    /// the content arrives; an unknown coding throws ``/Sockeye/SockeyeError/Code-swift.struct/badContentCoding``.
    ///
    /// - Parameters:
    ///   - url: As for ``/Sockeye/HTTPClient/get(_:query:headers:options:)``.
    ///   - query: Parameters to append to the URL's query.
    ///   - headers: The fields of the request.
    ///   - options: The deadlines and policies of the stream's requests, and the limits and reconnection rules in
    ///     ``OutgoingRequest/Options/eventStream``.
    /// - Returns: The stream. Errors in the request are thrown when the stream is iterated.
    public func events(
        _ url: some HTTPURL.Convertible, query: RequestParameters = [:], headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) -> EventStream {
        events(.get, url, query: query, headers: headers, options: options)
    }

    /// The server-sent events in the response to a request with any method. The request is sent when the stream is
    /// iterated.
    ///
    /// ```swift
    /// for try await event in client.events(.post, "chat", .json(question)) {
    ///     print(event.data)
    /// }
    /// ```
    ///
    /// The content is encoded by this call, not by the iteration. A stream of a method other than GET does not
    /// reconnect unless ``EventStream/Options/reconnects`` is true. All else is as for
    /// ``events(_:query:headers:options:)``.
    public func events(
        _ method: HTTPRequest.Method, _ url: some HTTPURL.Convertible, _ content: Content? = nil,
        query: RequestParameters = [:], headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) -> EventStream {
        let request = Result { () throws(SockeyeError) in
            try makeRequest(
                method, url, content, query: query, headers: addingEventFields(to: headers, options),
                options: options.forEventStream)
        }
        return EventStream(source: .call(self, request), options: options.eventStream)
    }

    private func addingEventFields(to headers: Headers, _ options: OutgoingRequest.Options) -> Headers {
        var headers = addingAccept("text/event-stream", in: headers)
        func isFree(_ name: Headers.Name) -> Bool { !headers.contains(name) && !scope.headers.contains(name) }
        if isFree(.cacheControl) { headers.append(.cacheControl, "no-cache") }
        // A range counts bytes of the coded form, so no coding is requested for it.
        if options.decompresses == true, isFree(.acceptEncoding), isFree(.range) {
            headers.append(.acceptEncoding, ContentCoding.accepted)
        }
        return headers
    }
}

extension OutgoingRequest.Options {
    /// Options for content without an end: by default no size limit, and never the cache. The event stream decodes the
    /// content itself, because the decoding of the engine limits the total size.
    fileprivate var forEventStream: OutgoingRequest.Options {
        with { options in
            options.bodyLimit = options.bodyLimit ?? .max
            options.decompresses = false
            options.skippedStages.insert(.cache)
        }
    }
}

extension IncomingResponse.Body {
    /// The content as server-sent events, regardless of the Content-Type. Like the body itself, the stream can be
    /// iterated only once.
    ///
    /// The stream ends with the response and does not reconnect. See ``HTTPClient/EventStream``.
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
    ///   - type: The type to decode.
    ///   - sentinel: Data that ends the stream, such as `[DONE]`. Default nil: no data ends the stream.
    ///   - decoder: The strategies for dates, keys and so on. Default nil: a plain decoder.
    public func events<Value: Decodable>(
        of type: Value.Type, until sentinel: String? = nil, decoder: JSONDecoder? = nil
    ) -> HTTPClient.EventStream.Values<Value> {
        events.values(of: type, until: sentinel, decoder: decoder)
    }
}
