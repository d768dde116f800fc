public import SockeyeCore

extension WebSocketConnection {
    /// The messages of a connection; see ``WebSocketConnection/messages``.
    public struct Messages: AsyncSequence, Sendable {
        /// A whole message.
        public typealias Element = Message
        /// Iterating throws the product's error only.
        public typealias Failure = WebSocketError

        let socket: WebSocketConnection

        /// Goes on with the next message that nobody received yet.
        public func makeAsyncIterator() -> Iterator { Iterator(socket: socket) }

        /// Receives message by message.
        public struct Iterator: AsyncIteratorProtocol {
            let socket: WebSocketConnection

            /// The next message; nil when the peer has closed the connection in good order.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(WebSocketError) -> Message? {
                try await socket.nextMessage()
            }

            /// The next message; nil when the peer has closed the connection in good order.
            public mutating func next() async throws(WebSocketError) -> Message? {
                try await next(isolation: #isolation)
            }
        }
    }

    /// A message that is read piece by piece, in constant memory however large it is; see ``WebSocketConnection/receive()``.
    ///
    /// A single-pass sequence of its bytes as they arrive, unmasked and decompressed. Those of a text are valid UTF-8 as a
    /// whole; a piece may end amid a character. Fragments are not told apart: they mean nothing (RFC 6455 5.4).
    public struct IncomingMessage: AsyncSequence, Sendable {
        /// A non-empty piece, at most 256 KiB.
        public typealias Element = Bytes
        /// Iterating throws the product's error only.
        public typealias Failure = WebSocketError

        /// Text or binary.
        public let kind: Kind
        let reader: Int
        let socket: WebSocketConnection

        /// Goes on with what was not read yet.
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
            /// - Throws: ``WebSocketError``: as ``WebSocketConnection/messages``, and `closed` also where the peer closes
            ///   amid the message in good order.
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

        /// The rest of the message in memory.
        ///
        /// - Parameter limit: The most bytes to take. Default: ``Limits/messageBytes`` of the connection.
        /// - Throws: ``WebSocketError``: `limitExceeded` past the limit, whereupon the connection is still good, and the rest
        ///   of the message is thrown away by the next call; else what iterating throws.
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
