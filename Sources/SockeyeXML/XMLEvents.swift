#if XML
import Sockeye
import SockeyeCore
public import SockeyeEngine

/// The events of an XML body, parsed while the body is received. The counterpart of AFNetworking's
/// `AFXMLParserResponseSerializer`.
///
/// ```swift
/// for try await event in try await client.get(url, as: .xmlEvents) {
///     if case .startElement(let tag) = event, tag.name.local == "item" { … }
/// }
/// ```
///
/// A body of any length needs only bounded memory. The main bounds are ``XMLLimits/maximumTokenSize``,
/// ``XMLLimits/maximumNames`` and ``XMLLimits/maximumExpansion``. Bytes are read from the connection only when the
/// consumer requests the next event. Like the body, the sequence can be iterated only once. If the consumer stops
/// early, the connection is closed.
public struct XMLEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = XMLEvent
    /// Iteration throws only the library's error.
    public typealias Failure = SockeyeError

    private let response: IncomingResponse
    private let limits: XMLLimits

    /// Creates the events of a response's body, without checking the response's status and media type.
    public init(_ response: IncomingResponse, limits: XMLLimits = XMLLimits()) {
        self.response = response
        self.limits = limits
    }

    /// Starts the iteration over the body.
    public func makeAsyncIterator() -> Iterator {
        Iterator(response, limits)
    }

    /// The iterator, which reads and parses the body.
    public struct Iterator: AsyncIteratorProtocol {
        private let response: IncomingResponse
        private var body: IncomingResponse.Body.Iterator
        private let parser: XMLPushParser
        /// The bytes that were read and are not parsed yet.
        private var rest = Bytes()
        private var events: ArraySlice<XMLEvent> = []
        private var isFinished = false
        /// The work that the iterator may do before it lets other tasks run.
        private var turn = TurnBudget(bytes: 256 << 10)

        fileprivate init(_ response: IncomingResponse, _ limits: XMLLimits) {
            self.response = response
            body = response.body.makeAsyncIterator()
            parser = XMLPushParser(charset: response.contentType?.charset, limits: limits)
        }

        /// Returns the next event, or nil at the end of the document.
        ///
        /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/decodingFailed`` with an ``XMLError`` as
        ///   ``/Sockeye/SockeyeError/underlying``, after all events before the fault;
        ///   ``/Sockeye/SockeyeError/Code-swift.struct/cancelled`` if the task was cancelled; and the errors of
        ///   reading.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(SockeyeError) -> XMLEvent? {
            while true {
                if let event = events.popFirst() { return event }
                if isFinished { return nil }
                try await parse()
            }
        }

        /// Returns the next event, or nil at the end of the document.
        public mutating func next() async throws(SockeyeError) -> XMLEvent? {
            try await next(isolation: #isolation)
        }

        private mutating func parse(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(SockeyeError) {
            if let failure = parser.failure {
                isFinished = true
                throw response.failure(failure, body: nil)
            }
            // A long chunk takes many steps, during which nothing else would check for cancellation.
            if Task.isCancelled { throw response.cancellation }
            if rest.isEmpty {
                guard let chunk = try await body.next(isolation: actor) else {
                    parser.finish()
                    isFinished = parser.failure == nil
                    events = parser.takeEvents()[...]
                    return
                }
                rest = chunk
            }
            let end = Swift.min(rest.count, XMLPushParser.stepSize)
            parser.feed(rest.slice(0..<end))
            rest = rest.slice(end..<rest.count)
            events = parser.takeEvents()[...]
            // Producing an event takes about as much time as scanning 128 bytes.
            if turn.spend(end + events.count * 128) { await Task.yield() }
        }
    }
}
#endif
