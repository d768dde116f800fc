public import SockeyeEngine
public import SockeyeEssentials
import SockeyeHTTP

extension HTTPClient {
    /// Server-sent events (HTML Standard, 9.2) as an asynchronous sequence, from a call or from the body of a response.
    ///
    /// ```swift
    /// for try await event in client.events("feed") { print(event.name, event.data) }
    /// ```
    ///
    /// No request is sent before the stream is iterated, and nothing is read ahead. Each `for` loop over a call's
    /// stream sends a request of its own. Leaving the loop closes the connection at once. Cancelling the task ends the
    /// wait for the server, closes the connection and throws ``/Sockeye/SockeyeError/Code-swift.struct/cancelled``.
    /// Events that have already arrived may be delivered first.
    ///
    /// **The response.** 200 with `text/event-stream` opens the stream; 204, as the first or a later response, ends it
    /// without an error. Any other status throws ``/Sockeye/SockeyeError/Code-swift.struct/unacceptableStatus``, and
    /// any other type ``/Sockeye/SockeyeError/Code-swift.struct/unacceptableContentType``. As the standard demands, no
    /// further connection is made then, not even after 500 or 503. But if the client has a ``/Sockeye/RetryPolicy`` for
    /// the status, the policy first repeats the request, and the stream sees only the last response. Redirects,
    /// credentials and all other policies except the cache apply to each connection as to any call. Each connection
    /// begins at the URL of the call, even if an earlier connection was redirected.
    ///
    /// **Reconnecting.** Until a response has opened the stream, every error is thrown, as for any call. If an open
    /// stream of a GET ends or breaks off, a new connection is made by the rules of ``Options/reconnection``, with the
    /// last event ID in Last-Event-ID. An event that was received in part is dropped. Streams of other methods, such as
    /// POST to a chat service, end with their response, unless ``Options/reconnects`` is true. Errors that a new
    /// connection cannot fix are thrown: refused certificates, responses that violate HTTP, exceeded limits. An attempt
    /// that gets no free connection, or that an open circuit breaker refuses, is a failed attempt too: it counts
    /// towards ``ServerSentEvent/Reconnection/attempts``. ``updates-swift.property`` reports lost and new connections.
    ///
    /// **Deadlines.** ``/Sockeye/Timeouts/stall`` (60 s) is the longest silence. Comments, which servers send to keep
    /// connections alive, end a silence. ``Options/idle`` bounds the wait for an event. If the silence or the wait
    /// exceeds its limit, the connection counts as lost. ``/Sockeye/Timeouts/total`` bounds the whole stream, with all
    /// connections and pauses.
    ///
    /// **Limits.** The ``Options/limits`` apply. ``/Sockeye/ResponseLimits/bodyBytes`` and
    /// ``/Sockeye/ResponseLimits/decodedBytes`` do not apply to the stream of a call, because that stream may be
    /// endless. The requests of that stream accept no content coding unless
    /// ``/Sockeye/OutgoingRequest/Options/decompresses`` is true. The stream of a response's body keeps the size limit
    /// of that response.
    public struct EventStream: AsyncSequence, Sendable {
        /// An event.
        public typealias Element = ServerSentEvent
        /// The error type of the iteration.
        public typealias Failure = SockeyeError

        enum Source: Sendable {
            case call(HTTPClient, Result<OutgoingRequest, SockeyeError>)
            case body(IncomingResponse.Body)
        }

        let source: Source
        /// Limits, deadline, rules of reconnecting, and the first Last-Event-ID.
        public var options: Options

        /// Begins a new iteration. The body of a response can be iterated only once.
        public func makeAsyncIterator() -> Iterator { Iterator(run: EventStreamRun(source, options)) }

        /// Reads event by event.
        public struct Iterator: AsyncIteratorProtocol {
            var run: EventStreamRun

            /// Returns the next event, or nil at the end of the stream.
            ///
            /// - Throws: The errors of the call. The stream itself throws
            ///   ``/Sockeye/SockeyeError/Code-swift.struct/limitExceeded`` and, if it does not reconnect,
            ///   ``/Sockeye/SockeyeError/Code-swift.struct/timeout`` and
            ///   ``/Sockeye/SockeyeError/Code-swift.struct/connectionClosed``.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(SockeyeError) -> ServerSentEvent? {
                try await run.nextEvent()
            }

            /// Returns the next event, or nil at the end of the stream. See ``next(isolation:)``.
            public mutating func next() async throws(SockeyeError) -> ServerSentEvent? {
                try await next(isolation: #isolation)
            }
        }
    }
}

extension HTTPClient.EventStream {
    /// The options of an event stream.
    public struct Options: Sendable {
        /// The limits on the size of lines, events and event IDs.
        public var limits = ServerSentEvent.Limits()
        /// The longest wait for an event. Default nil: no limit.
        ///
        /// Comments and unfinished events do not end the wait. The time that the caller takes between two events is
        /// not included. After the limit the connection counts as lost; if the stream does not reconnect, it throws
        /// ``/Sockeye/SockeyeError/Code-swift.struct/timeout``.
        public var idle: Duration?
        /// True if lost connections are replaced. Default nil: true for GET, and false for other methods.
        ///
        /// If true, a request of any method is repeated, provided that its body can be sent again.
        public var reconnects: Bool?
        /// The rules of reconnecting.
        public var reconnection = ServerSentEvent.Reconnection()
        /// The Last-Event-ID of the first connection, to continue an earlier stream. Default empty: the field is not
        /// sent.
        public var lastEventID = ""
        /// The source of random numbers for pauses; replaced by tests.
        var random: @Sendable () -> Double = { .random(in: 0..<1) }

        /// Creates settings with the default of each property.
        public init() {}
    }
}

extension HTTPClient.EventStream {
    /// An event, or a change of the stream's connection.
    @nonexhaustive public enum Update: Sendable {
        /// A response opened the stream, for the first time or again. Do not read its body: the stream reads it.
        case opened(IncomingResponse)
        /// An event.
        case event(ServerSentEvent)
        /// The connection was lost or could not be made. The error is nil if the response ended without an error. The
        /// duration is the pause before the next attempt.
        case lost(SockeyeError?, reconnectingIn: Duration)
    }

    /// The events of this stream together with the changes of its connection.
    ///
    /// ```swift
    /// for try await update in client.events("feed").updates {
    ///     switch update {
    ///     case .opened(let response): print("connected to \(response.url)")
    ///     case .event(let event): print(event.data)
    ///     case .lost(let error, let pause):
    ///         print("lost, again in \(pause)", error?.message ?? "")
    ///     }
    /// }
    /// ```
    public var updates: Updates { Updates(stream: self) }

    /// See ``HTTPClient/EventStream/updates-swift.property``.
    public struct Updates: AsyncSequence, Sendable {
        /// An event or a change of the connection.
        public typealias Element = Update
        /// The error type of the iteration.
        public typealias Failure = SockeyeError

        let stream: HTTPClient.EventStream

        /// Begins a new iteration. The body of a response can be iterated only once.
        public func makeAsyncIterator() -> Iterator {
            Iterator(run: EventStreamRun(stream.source, stream.options))
        }

        /// Reads update by update.
        public struct Iterator: AsyncIteratorProtocol {
            var run: EventStreamRun

            /// Returns the next update, or nil at the end of the stream.
            ///
            /// Throws the same errors as ``HTTPClient/EventStream/Iterator/next(isolation:)``.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(SockeyeError) -> Update? {
                try await run.next()
            }

            /// Returns the next update, or nil at the end of the stream. See ``next(isolation:)``.
            public mutating func next() async throws(SockeyeError) -> Update? { try await next(isolation: #isolation) }
        }
    }
}

extension HTTPClient.EventStream {
    /// The data of each event, decoded as JSON.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - sentinel: Data that ends the stream, such as `[DONE]`. If the rest of the response is shorter than 64 KiB
    ///     and arrives within 50 ms, it is read, so that the connection can be reused. Default nil: no data ends the
    ///     stream.
    ///   - decoder: The strategies for dates, keys and so on. Default nil: a plain decoder.
    public func values<Value: Decodable>(
        of type: Value.Type, until sentinel: String? = nil, decoder: JSONDecoder? = nil
    ) -> Values<Value> {
        Values(stream: self, sentinel: sentinel, decoder: JSONResponseDecoder(decoder))
    }

    /// See ``HTTPClient/EventStream/values(of:until:decoder:)``.
    public struct Values<Value: Decodable>: AsyncSequence, Sendable {
        /// A value.
        public typealias Element = Value
        /// The error type of the iteration.
        public typealias Failure = SockeyeError

        let stream: HTTPClient.EventStream
        let sentinel: String?
        let decoder: JSONResponseDecoder

        /// Begins a new iteration. The body of a response can be iterated only once.
        public func makeAsyncIterator() -> Iterator {
            Iterator(
                run: EventStreamRun(stream.source, stream.options), sentinel: sentinel, decoder: decoder)
        }

        /// Reads value by value.
        public struct Iterator: AsyncIteratorProtocol {
            var run: EventStreamRun
            let sentinel: String?
            let decoder: JSONResponseDecoder

            /// Returns the next value, or nil at the end of the stream.
            ///
            /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/decodingFailed`` if an event's data cannot be
            ///   decoded; this ends the stream. All other errors are those of
            ///   ``HTTPClient/EventStream/Iterator/next(isolation:)``.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(SockeyeError) -> Value? {
                guard let event = try await run.nextEvent() else { return nil }
                if let sentinel, event.data.utf8.elementsEqual(sentinel.utf8) {
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

            /// Returns the next value, or nil at the end of the stream. See ``next(isolation:)``.
            public mutating func next() async throws(SockeyeError) -> Value? { try await next(isolation: #isolation) }
        }
    }
}
