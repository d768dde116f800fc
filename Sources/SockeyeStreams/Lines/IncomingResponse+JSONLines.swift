public import SockeyeEngine
public import SockeyeEssentials
import SockeyeHTTP
import SockeyeSerialization

extension IncomingResponse.Body {
    /// The values of a stream of JSON texts, decoded during the iteration. They can be iterated once, like the body.
    ///
    /// ```swift
    /// for try await entry in response.body.jsonLines(of: Entry.self) {
    ///     print(entry.message)
    /// }
    /// ```
    ///
    /// Two formats are supported and distinguished by the first byte. In NDJSON (JSON Lines) each line is a JSON text,
    /// and blank lines are skipped. The other format is JSON text sequences (RFC 7464, `application/json-seq`). A value
    /// is delivered as soon as the line feed after its text arrives.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - limit: The maximum size of one text in bytes. Default 16 MiB; a longer text throws
    ///     ``/Sockeye/SockeyeError/Code-swift.struct/limitExceeded``.
    ///   - decoder: The strategies for dates, keys and so on. Default nil: a plain decoder.
    public func jsonLines<Value: Decodable>(
        of type: Value.Type, limit: Int = IncomingResponse.defaultCollectLimit, decoder: JSONDecoder? = nil
    ) -> JSONLines<Value> {
        JSONLines(body: self, limit: limit, decoder: JSONResponseDecoder(decoder))
    }

    /// See ``IncomingResponse/Body/jsonLines(of:limit:decoder:)``.
    public struct JSONLines<Value: Decodable>: AsyncSequence, Sendable {
        /// A value.
        public typealias Element = Value
        /// The error type of the iteration.
        public typealias Failure = SockeyeError

        let body: IncomingResponse.Body
        let limit: Int
        let decoder: JSONResponseDecoder

        /// Starts the only pass over the body.
        public func makeAsyncIterator() -> Iterator {
            Iterator(reader: JSONTextReader(body, limit: limit), decoder: decoder)
        }

        /// Reads value by value.
        public struct Iterator: AsyncIteratorProtocol {
            var reader: JSONTextReader
            let decoder: JSONResponseDecoder

            /// Returns the next value, or nil at the end.
            ///
            /// Every error ends the sequence. Cancelling the task ends the sequence promptly and closes the connection.
            ///
            /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/decodingFailed`` if a text cannot be decoded. The
            ///   message contains the text's number, and ``/Sockeye/SockeyeError/response`` contains the text's start.
            ///   ``/Sockeye/SockeyeError/Code-swift.struct/limitExceeded`` if a text is too long. Errors of reading the
            ///   body are thrown unchanged.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(SockeyeError) -> Value? {
                guard let text = try await reader.next() else { return nil }
                do {
                    return try decoder.decode(Value.self, from: text)
                } catch {
                    throw reader.fail(error, in: text, excerpt: decoder.excerpt(of: text, for: error))
                }
            }

            /// Returns the next value, or nil at the end. See ``next(isolation:)``.
            public mutating func next() async throws(SockeyeError) -> Value? { try await next(isolation: #isolation) }
        }
    }
}

/// A splitter of JSON texts and the body that feeds it.
struct JSONTextReader {
    private var source: RecordSource
    private var splitter: JSONTextSplitter
    /// The budget of work after which the reader lets other tasks run: 128 KiB, which take a few milliseconds to
    /// decode.
    private var turn = TurnBudget(bytes: 128 << 10)

    init(_ body: IncomingResponse.Body, limit: Int) {
        source = RecordSource(body)
        splitter = JSONTextSplitter(limit: limit, window: LineSplitter.usualWindow)
    }

    /// Returns the next text, or nil at the end.
    mutating func next() async throws(SockeyeError) -> Bytes? {
        while !source.isOver {
            if let text = try split({ (splitter) throws(StreamFault) in try splitter.next() }) {
                if turn.spend(text.count) { try await source.yieldTurn() }
                return text
            }
            if turn.spend(splitter.takeCost()) { try await source.yieldTurn() }
            if splitter.resume() { continue }
            guard let chunk = try await source.next() else {
                return try split { (splitter) throws(StreamFault) in try splitter.finish() }
            }
            splitter.append(chunk)
        }
        return nil
    }

    private mutating func split(
        _ step: (inout JSONTextSplitter) throws(StreamFault) -> Bytes?
    ) throws(SockeyeError) -> Bytes? {
        do throws(StreamFault) {
            return try step(&splitter)
        } catch {
            throw source.fail(SockeyeError(error))
        }
    }

    /// The error for a text that cannot be decoded.
    mutating func fail(_ error: any Error, in text: Bytes, excerpt: String?) -> SockeyeError {
        source.fail(
            source.response.decodingFailure(error, of: "value \(splitter.number)", in: text, excerpt: excerpt))
    }
}
