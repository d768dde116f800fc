import SockeyeCore

extension OutgoingRequest.Body {
    /// The writing end of a body that a closure writes; see ``OutgoingRequest/Body/writer(length:isReplayable:_:)``.
    ///
    /// It cannot be copied or kept. So two tasks cannot write at once, and writes cannot follow the end of the body.
    public struct Writer: ~Copyable {
        private let sink: any BodySink
        /// The number of bytes written so far.
        public private(set) var count = 0

        init(_ sink: any BodySink) { self.sink = sink }

        /// Sends a piece, such as `[UInt8]`, `Data` or ``Bytes``; an empty one has no effect.
        ///
        /// Returns when the system has taken the piece: a peer that reads slowly slows the writer down.
        ///
        /// - Throws: ``SockeyeError/Code-swift.struct/bodyLengthMismatch`` if the piece exceeds the declared length;
        ///   the piece is then not sent, and the request fails. Other errors mean that the request has ended: the task
        ///   was cancelled, a deadline has passed, the connection broke, or the peer's response makes the rest
        ///   pointless. Every later call throws as well, and the closure should return or throw. An error that the
        ///   closure then throws does not replace the error that ended the request.
        public mutating func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
            try await sink.write(chunk)
            count += chunk.count
        }

        /// Sends the UTF-8 form of a text. See ``write(_:)-(Chunk)``.
        public mutating func write(_ text: some StringProtocol) async throws(SockeyeError) {
            try await write(Bytes(text))
        }
    }

    /// A body that is sent while a closure writes it.
    ///
    /// ```swift
    /// let report = OutgoingRequest.Body.writer { body in
    ///     try await body.write("id,name\n")
    ///     for try await row in rows { try await body.write(row.line) }
    /// }
    /// ```
    ///
    /// The closure runs in the task that sends the body. That task is cancelled when the caller is cancelled, when the
    /// request fails, and when the peer's response makes the rest pointless (RFC 9112 9.5). In the last case the
    /// response is delivered. A closure that ignores the cancellation continues, its writes throw, and the request does
    /// not wait for it. If the body is replayable and the request is sent again, the next run of the closure may begin
    /// before this one has ended.
    ///
    /// For trailers, which may depend on the written content, see ``trailers(_:)``.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, sent as Content-Length; a closure that writes less or more fails the request
    ///     with ``SockeyeError/Code-swift.struct/bodyLengthMismatch``. Default nil: the number is unknown, and the body
    ///     is sent chunked.
    ///   - isReplayable: True if the closure may be called again and then writes the same from the start. Default
    ///     false.
    ///   - write: Called when the content may be sent, for example after the wait for 100 (Continue). An error that it
    ///     throws aborts the request. The caller gets that error if it is a ``SockeyeError``, otherwise
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
