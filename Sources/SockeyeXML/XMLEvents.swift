#if XML
import Sockeye
import SockeyeCore
public import SockeyeEngine

/// The events of an XML body, parsed as it comes; the counterpart of AFNetworking's `AFXMLParserResponseSerializer`.
///
/// ```swift
/// for try await event in try await client.get(url, as: .xmlEvents) {
///     if case .startElement(let tag) = event, tag.name.local == "item" { … }
/// }
/// ```
///
/// No more than some kilobytes of the body and ``XMLLimits/maximumTokenSize`` are in memory, however long it is, and nothing
/// is read ahead of the consumer. Like the body it can be iterated once; stopping half-way closes the connection.
public struct XMLEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = XMLEvent
    /// Iterating throws the library's error only.
    public typealias Failure = SockeyeError

    private let response: IncomingResponse
    private let limits: XMLLimits

    /// Parses the body of a response, whatever its status and type.
    public init(_ response: IncomingResponse, limits: XMLLimits = XMLLimits()) {
        self.response = response
        self.limits = limits
    }

    /// Starts the one pass over the body.
    public func makeAsyncIterator() -> Iterator {
        Iterator(response, limits)
    }

    /// Reads and parses the body.
    public struct Iterator: AsyncIteratorProtocol {
        private let response: IncomingResponse
        private var body: IncomingResponse.Body.Iterator
        private let parser: XMLPushParser
        /// What was read and not parsed yet.
        private var rest = Bytes()
        private var events: ArraySlice<XMLEvent> = []
        private var isFinished = false
        /// The steps since other tasks ran.
        private var turn = TurnBudget(bytes: 256 << 10)

        fileprivate init(_ response: IncomingResponse, _ limits: XMLLimits) {
            self.response = response
            body = response.body.makeAsyncIterator()
            parser = XMLPushParser(charset: response.contentType?.charset, limits: limits)
        }

        /// The next event, or nil at the end of the document.
        ///
        /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/decodingFailed`` with an ``XMLError`` as
        ///   ``/Sockeye/SockeyeError/underlying``, behind the events before the fault;
        ///   ``/Sockeye/SockeyeError/Code-swift.struct/cancelled`` if the task was; and what reading throws.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(SockeyeError) -> XMLEvent? {
            while true {
                if let event = events.popFirst() { return event }
                if isFinished { return nil }
                try await parse()
            }
        }

        /// The next event, or nil at the end of the document.
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
            // A long chunk takes many steps, in which nothing else would notice.
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
            let end = Swift.min(rest.count, XMLPushParser.step)
            parser.feed(rest.slice(0..<end))
            rest = rest.slice(end..<rest.count)
            events = parser.takeEvents()[...]
            // An event costs as much as the scanning of some hundred bytes.
            if turn.spend(end + events.count * 128) { await Task.yield() }
        }
    }
}
#endif
