public import FoundationEssentials
public import SockeyeEngine
public import SockeyeHTTP

extension HTTPClient {
    /// Server-sent events (HTML Standard, 9.2) as an asynchronous sequence, from a call or from the body of a response.
    ///
    /// ```swift
    /// for try await event in client.events("feed") { print(event.name, event.data) }
    /// ```
    ///
    /// Nothing is sent before it is iterated; each iteration of a call's stream is a stream of its own. Nothing is read ahead.
    /// Leaving the loop closes the connection at once, and so does cancelling the task, which throws
    /// ``SockeyeError/Code-swift.struct/cancelled``.
    ///
    /// **The response.** 200 with `text/event-stream` opens the stream, and 204 ends it without an error, at first or later. Any
    /// other status is ``SockeyeError/Code-swift.struct/unacceptableStatus``, any other type
    /// ``SockeyeError/Code-swift.struct/unacceptableContentType``: no further connection is made, as the standard has it, also
    /// not for 500 or 503. A ``RetryPolicy`` of the client repeats these before the stream sees them. Redirects, credentials and all
    /// other policies hold for each connection as for any call, but for the cache, which is passed by; each begins at the URL of
    /// the call.
    ///
    /// **Reconnecting.** Errors of the first connection are thrown. Once open, a stream that ends or breaks off is connected to
    /// again, by the rules of ``Options/reconnection``, with the last event ID in Last-Event-ID. What came of an event that was
    /// cut off is dropped. That is so for GET; streams of other methods, such as POST to a chat service, end with their
    /// response, unless ``Options/reconnects`` is true. Errors whose cause will not go away are thrown: certificates that are
    /// refused, responses that break HTTP, limits. ``updates-swift.property`` tell of connections that were lost and made.
    ///
    /// **Deadlines.** ``Timeouts/stall`` (60 s) is the longest silence; comments, which servers send to keep connections alive,
    /// break it. ``Options/idle`` bounds the wait for an event. If one of them passes, the connection counts as lost.
    /// ``Timeouts/total`` is that of the whole stream, with all connections and pauses.
    ///
    /// **Limits.** Those of ``Options/limits``; ``ResponseLimits/bodyBytes`` does not hold, as a stream may be endless, and for
    /// the same reason no content coding is asked for, unless the call's options say otherwise.
    public struct EventStream: AsyncSequence, Sendable {
        /// An event.
        public typealias Element = ServerSentEvent
        /// Iterating throws the library's error only.
        public typealias Failure = SockeyeError

        enum Source: Sendable {
            case call(HTTPClient, Result<OutgoingRequest, SockeyeError>)
            case body(IncomingResponse.Body)
        }

        let source: Source
        /// Limits, deadline and rules of reconnecting.
        public var options: Options

        /// Begins a stream of its own; of a body, the one pass.
        public func makeAsyncIterator() -> Iterator { Iterator(run: EventStreamRun(source, options)) }

        /// Reads event by event.
        public struct Iterator: AsyncIteratorProtocol {
            var run: EventStreamRun

            /// The next event, or nil when the stream is over.
            ///
            /// - Throws: What the call throws, and for the stream itself ``SockeyeError/Code-swift.struct/limitExceeded``,
            ///   ``SockeyeError/Code-swift.struct/timeout`` and ``SockeyeError/Code-swift.struct/connectionClosed`` where it
            ///   is not connected to again.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(SockeyeError) -> ServerSentEvent? {
                try await run.nextEvent()
            }

            /// The next event, or nil when the stream is over. See ``next(isolation:)``.
            public mutating func next() async throws(SockeyeError) -> ServerSentEvent? {
                try await next(isolation: #isolation)
            }
        }
    }
}

extension HTTPClient.EventStream {
    /// What may be set for a stream of events.
    public struct Options: Sendable {
        /// How much of the stream is held.
        public var limits = ServerSentEvent.Limits()
        /// The longest wait for an event. Comments and unfinished events do not end the wait. The time that the caller
        /// takes between two events does not count. When the limit passes, the connection is lost:
        /// ``SockeyeError/Code-swift.struct/timeout`` if it is not made again. Default nil: no limit.
        public var idle: Duration?
        /// Whether what is lost is connected to again. Default nil: for GET, and for no other method. True repeats the request
        /// whatever its method is, if its body can be sent again.
        public var reconnects: Bool?
        /// The rules for that.
        public var reconnection = ServerSentEvent.Reconnection()
        /// The last event ID that the first connection asks with, to go on where an earlier stream ended. Default empty: none is
        /// sent.
        public var lastEventID = ""
        /// Replaced by tests.
        var random: @Sendable () -> Double = { .random(in: 0..<1) }

        /// Makes the defaults named at each property.
        public init() {}
    }
}

extension HTTPClient.EventStream {
    /// What happens to a stream: its events, and when it was connected and lost.
    @nonexhaustive public enum Update: Sendable {
        /// A response opened the stream, the first or a later one. Its body is the stream's.
        case opened(IncomingResponse)
        /// An event.
        case event(ServerSentEvent)
        /// The connection was lost, or could not be made again: the error, if it did not just end, and the pause before the next
        /// one.
        case lost(SockeyeError?, reconnectingIn: Duration)
    }

    /// The same stream with what happens to its connections.
    ///
    /// ```swift
    /// for try await update in client.events("feed").updates {
    ///     switch update {
    ///     case .opened(let response): print("connected to \(response.url)")
    ///     case .event(let event): print(event.data)
    ///     case .lost(let error, let pause): print("lost, again in \(pause)", error?.message ?? "")
    ///     }
    /// }
    /// ```
    public var updates: Updates { Updates(stream: self) }

    /// See ``HTTPClient/EventStream/updates-swift.property``.
    public struct Updates: AsyncSequence, Sendable {
        /// What happens.
        public typealias Element = Update
        /// Iterating throws the library's error only.
        public typealias Failure = SockeyeError

        let stream: HTTPClient.EventStream

        /// Begins a stream of its own; of a body, the one pass.
        public func makeAsyncIterator() -> Iterator {
            Iterator(run: EventStreamRun(stream.source, stream.options))
        }

        /// Reads update by update.
        public struct Iterator: AsyncIteratorProtocol {
            var run: EventStreamRun

            /// What happens next, or nil when the stream is over. Throws what
            /// ``HTTPClient/EventStream/Iterator/next(isolation:)`` throws.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(SockeyeError) -> Update? {
                try await run.next()
            }

            /// What happens next, or nil when the stream is over. See ``next(isolation:)``.
            public mutating func next() async throws(SockeyeError) -> Update? { try await next(isolation: #isolation) }
        }
    }
}

extension HTTPClient.EventStream {
    /// The data of each event, decoded as JSON.
    ///
    /// - Parameters:
    ///   - type: What the data of an event is decoded to.
    ///   - sentinel: Data that ends the stream, such as `[DONE]`. What is left of the response, if it is short and comes within
    ///     50 ms, is read away, so that the connection serves again. Default nil: none.
    ///   - decoder: Strategies for dates, keys and so on; nil, the default, for none.
    public func values<Value: Decodable>(
        of type: Value.Type, until sentinel: String? = nil, decoder: JSONDecoder? = nil
    ) -> Values<Value> {
        Values(stream: self, sentinel: sentinel, decoder: JSONResponseDecoder(decoder))
    }

    /// See ``HTTPClient/EventStream/values(of:until:decoder:)``.
    public struct Values<Value: Decodable>: AsyncSequence, Sendable {
        /// A value.
        public typealias Element = Value
        /// Iterating throws the library's error only.
        public typealias Failure = SockeyeError

        let stream: HTTPClient.EventStream
        let sentinel: String?
        let decoder: JSONResponseDecoder

        /// Begins a stream of its own; of a body, the one pass.
        public func makeAsyncIterator() -> Iterator {
            Iterator(
                run: EventStreamRun(stream.source, stream.options), sentinel: sentinel, decoder: decoder)
        }

        /// Reads value by value.
        public struct Iterator: AsyncIteratorProtocol {
            var run: EventStreamRun
            let sentinel: String?
            let decoder: JSONResponseDecoder

            /// The next value, or nil when the stream is over.
            ///
            /// - Throws: ``SockeyeError/Code-swift.struct/decodingFailed`` for an event whose data is not such a value, which
            ///   ends the stream, and what ``HTTPClient/EventStream/Iterator/next(isolation:)`` throws.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(SockeyeError) -> Value? {
                guard let event = try await run.nextEvent() else { return nil }
                if event.data == sentinel {
                    await run.finish()
                    return nil
                }
                let text = Bytes(event.data)
                do {
                    return try decoder.decode(Value.self, from: text)
                } catch {
                    throw run.fail(error, in: text, excerpt: decoder.excerpt(of: text, for: error))
                }
            }

            /// The next value, or nil when the stream is over. See ``next(isolation:)``.
            public mutating func next() async throws(SockeyeError) -> Value? { try await next(isolation: #isolation) }
        }
    }
}
