public import SockeyeCore

extension WebSocketConnection {
    /// The messages of a connection; see ``WebSocketConnection/messages``.
    public struct Messages: AsyncSequence, Sendable {
        /// A whole message.
        public typealias Element = Message
        /// Iterating throws only this error.
        public typealias Failure = WebSocketError

        let socket: WebSocketConnection

        /// Continues with the next message that no task has received.
        public func makeAsyncIterator() -> Iterator { Iterator(socket: socket) }

        /// Receives message by message.
        public struct Iterator: AsyncIteratorProtocol {
            let socket: WebSocketConnection

            /// The next message; nil after the peer has closed the connection normally.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(WebSocketError) -> Message? {
                try await socket.nextMessage()
            }

            /// The next message; nil after the peer has closed the connection normally.
            public mutating func next() async throws(WebSocketError) -> Message? {
                try await next(isolation: #isolation)
            }
        }
    }

    /// A message that is read piece by piece, in constant memory however large it is; see
    /// ``WebSocketConnection/receive()``.
    ///
    /// A single-pass sequence of its bytes as they arrive, unmasked and decompressed. The bytes of a text message are
    /// valid UTF-8 as a whole, but a piece may end in the middle of a character. Fragment boundaries are not reported,
    /// because they have no meaning (RFC 6455 5.4).
    public struct IncomingMessage: AsyncSequence, Sendable {
        /// A non-empty piece, at most 256 KiB.
        public typealias Element = Bytes
        /// Iterating throws only this error.
        public typealias Failure = WebSocketError

        /// Text or binary.
        public let kind: Kind
        /// The number of this message among those read piece by piece.
        let reader: Int
        let socket: WebSocketConnection

        /// Continues with the bytes that were not read yet.
        public func makeAsyncIterator() -> Iterator { Iterator(message: self) }

        /// Reads piece by piece.
        public struct Iterator: AsyncIteratorProtocol {
            let message: IncomingMessage
            var hasEnded = false

            init(message: IncomingMessage) {
                self.message = message
            }

            /// The next piece; nil at the end of the message.
            ///
            /// - Throws: ``WebSocketError``: the errors of iterating ``WebSocketConnection/messages``. In addition,
            ///   `closed` if either side closes before the end of the message, even normally, and `invalidUse` if the
            ///   next message has been received, because that discards the rest of this one.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(WebSocketError) -> Bytes? {
                guard !hasEnded else { return nil }
                let piece = try await message.socket.nextPiece(of: message.reader)
                hasEnded = piece == nil
                return piece
            }

            /// The next piece; nil at the end of the message.
            public mutating func next() async throws(WebSocketError) -> Bytes? {
                try await next(isolation: #isolation)
            }
        }

        /// Reads the rest of the message into memory.
        ///
        /// - Parameter limit: The maximum number of bytes. Default: ``Limits/messageBytes`` of the connection.
        /// - Throws: ``WebSocketError``: `limitExceeded` if the message is larger than `limit`. In this case the
        ///   connection stays usable, and receiving the next message discards the rest of this one. All other errors
        ///   are those of iterating.
        public func bytes(upTo limit: Int? = nil) async throws(WebSocketError) -> Bytes {
            let limit = limit ?? socket.options.limits.messageBytes
            var collected = BytesAccumulator(expected: nil)
            var iterator = makeAsyncIterator()
            while let piece = try await iterator.next() {
                guard piece.count <= limit - collected.count else {
                    throw WebSocketError(
                        .limitExceeded, "a message is larger than the limit of \(limit) bytes", limit: limit)
                }
                collected.append(piece)
            }
            return collected.finish()
        }
    }
}
