public import SockeyeCore
import SockeyeHTTP

extension IncomingResponse {
    /// The content of a response: a single-pass sequence of byte chunks, read from the socket as you iterate.
    ///
    /// Backpressure is that of TCP: nothing is read ahead of the consumer. Reading to the end returns the connection to
    /// the pool. If you release the body earlier, the client reads and discards the rest if it is short. If the rest is
    /// longer, the client closes the connection, because HTTP/1.1 has no other way to abandon a response.
    ///
    /// A second iteration throws ``SockeyeError/Code-swift.struct/bodyConsumed``.
    public struct Body: AsyncSequence, Sendable {
        /// A non-empty chunk.
        public typealias Element = Bytes
        /// Iterating throws only the library's error.
        public typealias Failure = SockeyeError

        /// The response that the body belongs to.
        package let storage: ResponseStorage

        package init(_ storage: ResponseStorage) {
            self.storage = storage
        }

        /// Creates a body of these bytes; for transports of your own and for tests.
        public init(_ bytes: Bytes) {
            storage = ResponseStorage(
                status: 200, fields: [:], reason: "", request: nil,
                body: BodyContent(first: bytes, expectedLength: bytes.count))
        }

        /// The number of bytes that will be delivered, if the head announces it. Nil for chunked and close-delimited
        /// bodies, and for bodies with a content coding that the client undoes.
        public var expectedLength: Int? { storage.reader.expectedLength }

        /// Starts the one pass over the body.
        public func makeAsyncIterator() -> Iterator {
            Iterator(storage, mayRead: storage.reader.begin())
        }

        /// Reads the body chunk by chunk.
        public struct Iterator: AsyncIteratorProtocol {
            private let storage: ResponseStorage
            private let mayRead: Bool

            fileprivate init(_ storage: ResponseStorage, mayRead: Bool) {
                self.storage = storage
                self.mayRead = mayRead
            }

            /// Returns the next chunk, or nil at the end. Cancelling the task makes this method throw promptly and
            /// closes the connection.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(SockeyeError) -> Bytes? {
                guard mayRead else { throw BodyReader.consumed.about(storage.request) }
                switch storage.reader.take() {
                case .piece(let bytes): return bytes
                case .busy: throw BodyReader.consumed.about(storage.request)
                case .fetch(let source):
                    do throws(SockeyeError) {
                        return try await storage.reader.fetch(from: source)
                    } catch {
                        throw storage.completed(error, start: (source as? LimitedSource)?.start ?? Bytes())
                    }
                }
            }

            /// Returns the next chunk, or nil at the end. Cancelling the task makes this method throw promptly and
            /// closes the connection.
            public mutating func next() async throws(SockeyeError) -> Bytes? {
                try await next(isolation: #isolation)
            }
        }

        /// Reads the whole body into memory.
        ///
        /// - Parameter limit: The most bytes to accept. A body with a greater declared length fails without further
        ///   reading.
        /// - Throws: ``SockeyeError/Code-swift.struct/limitExceeded`` if the body exceeds the limit. The
        ///   ``SockeyeError/response`` of this error holds the head and the start of the body. Also throws any error of
        ///   reading.
        public func collect(upTo limit: Int) async throws(SockeyeError) -> Bytes {
            if let expected = expectedLength, expected > limit {
                throw tooLarge(limit, seen: expected, start: storage.reader.start)
            }
            if let complete = storage.reader.takeComplete() {
                guard complete.count <= limit else { throw tooLarge(limit, seen: complete.count, start: complete) }
                return complete
            }
            var collected = BytesAccumulator(expected: expectedLength)
            var iterator = makeAsyncIterator()
            do throws(SockeyeError) {
                while let chunk = try await iterator.next() {
                    let fits = chunk.count <= limit - collected.count
                    collected.append(chunk)
                    guard fits else {
                        // The single pass has begun, so the rest could not be read and would only occupy the
                        // connection.
                        storage.reader.discard()
                        throw tooLarge(limit, seen: collected.count)
                    }
                }
            } catch {
                throw storage.completed(error, start: collected.finish())
            }
            return collected.finish()
        }

        private func tooLarge(_ limit: Int, seen: Int, start: Bytes = Bytes()) -> SockeyeError {
            storage.completed(.tooLarge(limit: limit, seen: seen), start: start)
        }
    }
}
