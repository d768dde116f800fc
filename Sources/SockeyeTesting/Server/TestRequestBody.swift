public import SockeyeCore

/// The body of a request, read from the connection as it is asked for.
///
/// Nothing is read ahead: a handler that does not iterate lets the client run into backpressure, one that answers first
/// tests an early response. Single pass; a second iterator continues where the first one stopped.
public struct TestRequestBody: AsyncSequence, Sendable {
    let content: RequestContent

    /// Starts, or goes on, reading. A client that asked with `Expect: 100-continue` is told to send by the first read.
    public func makeAsyncIterator() -> Iterator {
        Iterator(content: content)
    }

    /// Reads the body piece by piece.
    public struct Iterator: AsyncIteratorProtocol {
        let content: RequestContent

        /// The next bytes as they arrived, or nil at the end of the body.
        ///
        /// - Throws: ``TestServerError``: `disconnected` when the client goes away amid the body, `malformedRequest`
        ///   when its framing is wrong; `CancellationError` when the server stops.
        public mutating func next() async throws -> Bytes? {
            try await content.next()
        }
    }

    /// Reads the rest of the body into memory.
    ///
    /// - Throws: ``TestServerError`` with the code `bodyTooLarge` beyond `limit` bytes (default 16 MiB), and what
    ///   iterating throws.
    public func collect(upTo limit: Int = 16 << 20) async throws -> Bytes {
        guard var first = try await content.next() else { return Bytes() }
        // A body in one piece, the usual case, needs no second copy.
        if content.isComplete {
            first = first.compacted()
        } else {
            first = try await collect(after: first, upTo: limit)
        }
        guard first.count <= limit else { throw Self.tooLarge(limit) }
        return first
    }

    private func collect(after first: Bytes, upTo limit: Int) async throws -> Bytes {
        var collected = Array(first)
        while let piece = try await content.next() {
            guard collected.count + piece.count <= limit else { throw Self.tooLarge(limit) }
            collected.append(contentsOf: piece)
        }
        return Bytes(collected)
    }

    private static func tooLarge(_ limit: Int) -> TestServerError {
        TestServerError(.bodyTooLarge, "the request body has more than \(limit) bytes")
    }

    /// Reads the rest of the body and keeps nothing: the cheapest way to take a large upload.
    ///
    /// - Returns: How many bytes there were.
    @discardableResult
    public func discard() async throws -> Int {
        var count = 0
        while let piece = try await content.next() { count += piece.count }
        return count
    }
}
