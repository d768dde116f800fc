import SockeyeCore

extension OutgoingRequest.Body {
    /// The writing end of a body that a closure writes; see
    /// ``OutgoingRequest/Body/writer(length:isReplayable:_:)``.
    ///
    /// It cannot be copied or kept, so that nothing is written by two tasks at once, or after the end of the body.
    public struct Writer: ~Copyable {
        private let sink: any BodySink
        /// How many bytes were written so far.
        public private(set) var count = 0

        init(_ sink: any BodySink) { self.sink = sink }

        /// Sends a piece, such as `[UInt8]`, `Data` or ``Bytes``; an empty one is nothing. Returns when the system has taken
        /// it: a peer that reads slowly slows the writer down.
        ///
        /// - Throws: ``SockeyeError/Code-swift.struct/bodyLengthMismatch`` for more than the declared length, of which nothing
        ///   is sent; else when the request is over, whoever ended it: the task was cancelled, a deadline has passed, the
        ///   connection broke, or the peer has answered in a way that makes the rest pointless. Every later call throws then,
        ///   too, and the closure should return or throw; what it throws does not hide why the request ended.
        public mutating func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
            try await sink.write(chunk)
            count += chunk.count
        }

        /// Sends the UTF-8 form of a text. See ``write(_:)-(Chunk)``.
        public mutating func write(_ text: some StringProtocol) async throws(SockeyeError) {
            try await write(Bytes(text))
        }
    }

    /// A body that a closure writes while it is sent.
    ///
    /// ```swift
    /// let report = OutgoingRequest.Body.writer { body in
    ///     try await body.write("id,name\n")
    ///     for try await row in rows { try await body.write(row.line) }
    /// }
    /// ```
    ///
    /// The closure runs in the task that sends the body, which ends with the request: it is cancelled when the caller is, when
    /// the request fails, and when the peer answers so that the rest is pointless (RFC 9112 9.6); then the answer is delivered.
    /// A closure that takes no notice of that goes on by itself, with writes that throw, and holds up nobody.
    ///
    /// For trailers after the content, whatever was written until then, see ``trailers(_:)``.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, sent as Content-Length; a closure that writes less or more fails the request with
    ///     ``SockeyeError/Code-swift.struct/bodyLengthMismatch``. Nil, the default: unknown, and sent chunked.
    ///   - isReplayable: Whether the closure may be called again and then writes the same from the start. Default false.
    ///   - write: Called when the content may be sent, and not before. What it throws aborts the request with
    ///     ``SockeyeError/Code-swift.struct/bodyFailed``.
    public static func writer(
        length: Int? = nil, isReplayable: Bool = false,
        _ write: @escaping @Sendable (inout Writer) async throws -> Void
    ) -> OutgoingRequest.Body {
        let use = isReplayable ? nil : OneShotClaim()
        return .produced(length: length, use) { sink in
            try use?.begin()
            var writer = Writer(sink)
            try await write(&writer)
        }
    }
}
