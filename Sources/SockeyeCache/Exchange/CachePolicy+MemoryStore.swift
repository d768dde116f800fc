import SockeyeCore
import SockeyeHTTP
import Synchronization

extension CachePolicy {
    /// A ``CachePolicy/Store`` in memory: an LRU cache bounded by bytes, which any number of clients may share.
    ///
    /// Responses to different credentials are kept apart; see ``CachePolicy``. Each operation holds a lock briefly. No
    /// content is copied while the lock is held, because served content consists of slices of the stored buffers. The
    /// content is lost when the process exits.
    public final class MemoryStore: CachePolicy.Store {
        private struct State {
            var entries: CacheEntryLRU
            /// The responses being written, by key.
            var writers: [String: [ObjectIdentifier: Writer]] = [:]
        }

        /// The maximum number of responses for one URL: variants (RFC 9111 4.1) and responses to different credentials.
        private static let variants = 32

        /// The maximum of ``byteCount``. The least recently used responses are evicted first.
        public let limit: Int
        /// The maximum size of one response's content in bytes. Larger responses are not stored.
        public let entryLimit: Int
        private let state: Mutex<State>

        /// Creates an empty store.
        ///
        /// - Parameters:
        ///   - limit: The maximum size of all responses in bytes, such as `64 << 20`. Responses being written are not
        ///     counted; each takes up to `entryLimit`.
        ///   - entryLimit: The maximum size of one response's content in bytes, at most `limit`. Default nil: an eighth
        ///     of `limit`.
        public init(limit: Int, entryLimit: Int? = nil) {
            self.limit = max(0, limit)
            self.entryLimit = min(max(0, entryLimit ?? limit / 8), max(0, limit))
            state = Mutex(State(entries: CacheEntryLRU(limit: self.limit)))
        }

        /// The number of stored responses.
        public var count: Int { state.withLock(\.entries.count) }

        /// The size of all stored responses in bytes. The size of one response is that of its content and fields, plus
        /// twice the size of its key, plus 512 bytes.
        public var byteCount: Int { state.withLock(\.entries.cost) }

        /// Removes all responses, including those being written.
        public func removeAll() {
            state.withLock { state in
                for writer in state.writers.values.flatMap(\.values) { writer.refuseFurtherWrites() }
                state = State(entries: CacheEntryLRU(limit: limit))
            }
        }

        /// Returns the responses that are stored under a key.
        public func responses(for key: String) -> [CachedResponse] {
            candidates(for: key).map(\.response)
        }

        /// Returns the responses that are stored under a key, parsed.
        func candidates(for key: String) -> [StoredResponse] {
            state.withLock { $0.entries.responses(for: key) }
        }

        /// Returns the content of a stored response; nil if it was removed.
        public func body(of response: CachedResponse, for key: String) -> CachedResponse.Body? {
            state.withLock { $0.entries.use(response.id, for: key) }.map { .pieces($0) }
        }

        /// Begins to store a response; nil if its Content-Length exceeds ``entryLimit``.
        public func writer(for response: CachedResponse, key: String) -> (any CachePolicy.Writer)? {
            if let length = response.headers[.contentLength].flatMap(Int.init), length > entryLimit { return nil }
            let writer = Writer(response, key, self)
            state.withLock { $0.writers[key, default: [:]][ObjectIdentifier(writer)] = writer }
            return writer
        }

        /// Replaces the head of a stored response.
        public func update(_ response: CachedResponse, for key: String) {
            let stored = StoredResponse(response)
            state.withLock { $0.entries.update(stored, for: key) }
        }

        /// Removes one response.
        public func remove(_ response: CachedResponse, for key: String) {
            state.withLock { $0.entries.remove(response.id, for: key) }
        }

        /// Removes all responses under a key, including those being written.
        public func removeAll(for key: String) {
            state.withLock { state in
                state.entries.removeAll(for: key)
                for writer in state.writers.removeValue(forKey: key)?.values ?? [:].values {
                    writer.refuseFurtherWrites()
                }
            }
        }

        fileprivate func finish(_ writer: Writer, _ entry: CacheEntryLRU.Entry?) {
            state.withLock { state in
                guard state.writers[writer.key]?.removeValue(forKey: ObjectIdentifier(writer)) != nil else { return }
                if state.writers[writer.key]?.isEmpty == true { state.writers[writer.key] = nil }
                if let entry { state.entries.insert(entry, variants: Self.variants) }
            }
        }

        /// The content of a response that is not stored yet.
        fileprivate final class Writer: CachePolicy.Writer {
            private struct Refusal: Error {}

            private let response: CachedResponse
            let key: String
            private let store: CachePolicy.MemoryStore
            /// Locked by the one task that writes. The store never takes this lock, so it does not wait while a piece
            /// is copied.
            private let content = Mutex<StoredPieces?>(StoredPieces())
            private let isAbandoned = Atomic(false)

            init(_ response: CachedResponse, _ key: String, _ store: CachePolicy.MemoryStore) {
                self.response = response
                self.key = key
                self.store = store
            }

            func write(_ piece: Bytes) throws {
                let limit = store.entryLimit
                guard !isAbandoned.load(ordering: .relaxed) else { throw Refusal() }
                let fits = content.withLock { content in
                    guard let count = content?.count, piece.count <= limit - count else { return false }
                    content?.append(piece)
                    return true
                }
                if !fits { throw Refusal() }
            }

            func commit() {
                let written = content.withLock { content -> (pieces: [Bytes], count: Int)? in
                    content?.close()
                    defer { content = nil }
                    return content.map { ($0.pieces, $0.count) }
                }
                guard let (pieces, count) = written else { return abandon() }
                var response = response
                response.bodyLength = count
                store.finish(self, .init(stored: StoredResponse(response), key: key, pieces: pieces))
            }

            func abandon() {
                content.withLock { $0 = nil }
                store.finish(self, nil)
            }

            /// Makes the next write fail. The store also removes this writer from its list, so that `commit()` stores
            /// nothing.
            func refuseFurtherWrites() {
                isAbandoned.store(true, ordering: .relaxed)
            }
        }
    }
}
