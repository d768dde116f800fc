public import SockeyeCore

/// The content of a response: a single-pass sequence of byte chunks, read from the socket as you iterate.
///
/// Backpressure is TCP's own: nothing is read ahead of the consumer. Reading to the end gives the connection back to
/// the pool; dropping the body unread closes it, or drains it when little is left, since HTTP/1.1 has no other way to
/// abandon a response.
///
/// A second iteration throws ``SockeyeError/Code-swift.struct/bodyConsumed``.
public struct ResponseBody: AsyncSequence, Sendable {
    /// A non-empty chunk.
    public typealias Element = Bytes
    /// Iterating throws the library's error only.
    public typealias Failure = SockeyeError

    package let reader: BodyReader
    /// Whose body it is, for its errors.
    private let head: ResponseStorage?

    package init(reader: BodyReader, head: ResponseStorage?) {
        self.reader = reader
        self.head = head
    }

    /// A body of these bytes; for transports of your own and for tests.
    public init(_ bytes: Bytes) {
        reader = BodyReader(first: bytes, source: nil, expectedLength: bytes.count)
        head = nil
    }

    /// The number of bytes that will be delivered, where the head tells: nil for chunked, coded and close-delimited bodies.
    public var expectedLength: Int? { reader.expectedLength }

    /// Starts the one pass over the body.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: reader, mayRead: reader.begin(), head: head)
    }

    /// Reads the body chunk by chunk.
    public struct Iterator: AsyncIteratorProtocol {
        private let reader: BodyReader
        private let mayRead: Bool
        private let head: ResponseStorage?

        fileprivate init(reader: BodyReader, mayRead: Bool, head: ResponseStorage?) {
            self.reader = reader
            self.mayRead = mayRead
            self.head = head
        }

        /// The next chunk, or nil at the end. Cancelling the task ends it promptly and closes the connection.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(SockeyeError) -> Bytes? {
            guard mayRead else { throw BodyReader.consumed.about(head?.request) }
            do throws(SockeyeError) { return try await reader.next() } catch { throw error.about(head?.request) }
        }

        /// The next chunk, or nil at the end. Cancelling the task ends it promptly and closes the connection.
        public mutating func next() async throws(SockeyeError) -> Bytes? {
            try await next(isolation: #isolation)
        }
    }

    /// Reads the whole body into memory.
    ///
    /// - Parameter limit: The most bytes to accept. A body that is declared longer fails before any of it is read.
    /// - Throws: ``SockeyeError/Code-swift.struct/limitExceeded`` past the limit, and whatever reading throws.
    public func collect(upTo limit: Int) async throws(SockeyeError) -> Bytes {
        if let expected = expectedLength, expected > limit { throw tooLarge(limit, seen: expected) }
        if let complete = reader.takeComplete() {
            guard complete.count <= limit else { throw tooLarge(limit, seen: complete.count) }
            return complete
        }
        var collected = BytesAccumulator(expected: expectedLength)
        var iterator = makeAsyncIterator()
        while let chunk = try await iterator.next() {
            guard chunk.count <= limit - collected.count else {
                throw tooLarge(limit, seen: collected.count + chunk.count)
            }
            collected.append(chunk)
        }
        return collected.finish()
    }

    private func tooLarge(_ limit: Int, seen: Int) -> SockeyeError {
        var fields = SockeyeError.Fields(
            .limitExceeded, phase: .body, blame: .policy, message: "the body is larger than the call accepts")
        fields.limit = .init("collect(upTo:)", configured: "\(limit) bytes", seen: "\(seen) bytes")
        return SockeyeError(fields).about(head?.request)
    }
}
