import SockeyeCore
public import SockeyeHTTP
import Synchronization

extension CachePolicy {
    /// A ``CachePolicy/Store`` in memory: an LRU cache bounded by bytes, which any number of clients may share.
    ///
    /// Answers to different credentials are kept apart; see ``CachePolicy``. Each operation takes a short lock, under which no
    /// content is copied: it is handed out as slices of what is stored. It ends with the process.
    public final class MemoryStore: CachePolicy.Store {
        private struct State {
            var entries = CacheEntryList()
            /// What is being written, by key.
            var writers: [String: [ObjectIdentifier: Writer]] = [:]
        }

        /// Answers to one URL that are kept at most, whatever they vary by.
        private static let variants = 32

        /// The bytes of content and fields that all responses have at most. The least recently used go first.
        public let limit: Int
        /// The bytes of content that one response has at most. Larger ones are not stored.
        public let entryLimit: Int
        private let state = Mutex(State())

        /// Makes an empty store.
        ///
        /// - Parameters:
        ///   - limit: The bytes in all, such as `64 << 20`. What is being stored comes on top, each up to `entryLimit`.
        ///   - entryLimit: The bytes of one response. Default nil: an eighth of `limit`.
        public init(limit: Int, entryLimit: Int? = nil) {
            self.limit = max(0, limit)
            self.entryLimit = min(max(0, entryLimit ?? limit / 8), max(0, limit))
        }

        /// How many responses are stored.
        public var count: Int { state.withLock(\.entries.count) }

        /// The bytes that they count for: their content, their fields, and 512 each.
        public var byteCount: Int { state.withLock(\.entries.cost) }

        /// Forgets everything, and what is being stored as well.
        public func removeAll() {
            state.withLock { state in
                for writer in state.writers.values.flatMap(\.values) { writer.abandonHere() }
                state = State()
            }
        }

        /// The responses that are stored under a key.
        public func responses(for key: String) -> [CachedResponse] {
            candidates(for: key).map(\.response)
        }

        /// What is stored under a key, with what is derived of it.
        func candidates(for key: String) -> [StoredResponse] {
            state.withLock { $0.entries.responses(for: key) }
        }

        /// The content of one of them; nil where it is gone.
        public func body(of response: CachedResponse, for key: String) -> CachedResponse.Body? {
            state.withLock { $0.entries.use(response.id, for: key) }.map { .pieces($0) }
        }

        /// Begins to store a response; nil where it is announced too large.
        public func writer(for response: CachedResponse, key: String) -> (any CachePolicy.Writer)? {
            if let length = response.headers[.contentLength].flatMap(Int.init), length > entryLimit { return nil }
            let writer = Writer(response, key, self)
            state.withLock { $0.writers[key, default: [:]][ObjectIdentifier(writer)] = writer }
            return writer
        }

        /// Gives a stored response another head.
        public func update(_ response: CachedResponse, for key: String) {
            let (stored, limit) = (StoredResponse(response), limit)
            state.withLock { state in
                state.entries.update(stored, for: key)
                state.entries.shrink(to: limit)
            }
        }

        /// Removes one response.
        public func remove(_ response: CachedResponse, for key: String) {
            state.withLock { $0.entries.remove(response.id, for: key) }
        }

        /// Removes all responses that are stored under a key, and what is being stored under it.
        public func removeAll(for key: String) {
            state.withLock { state in
                state.entries.removeAll(for: key)
                for writer in state.writers.removeValue(forKey: key)?.values ?? [:].values { writer.abandonHere() }
            }
        }

        fileprivate func finish(_ writer: Writer, _ entry: CacheEntryList.Entry?) {
            let limit = limit
            state.withLock { state in
                guard state.writers[writer.key]?.removeValue(forKey: ObjectIdentifier(writer)) != nil else { return }
                if state.writers[writer.key]?.isEmpty == true { state.writers[writer.key] = nil }
                guard let entry else { return }
                state.entries.insert(entry, variants: Self.variants)
                state.entries.shrink(to: limit)
            }
        }

        /// The content of a response that is not stored yet.
        fileprivate final class Writer: CachePolicy.Writer {
            private struct Refusal: Error {}

            private let response: CachedResponse
            let key: String
            private let store: CachePolicy.MemoryStore
            /// Of the one task that writes: nobody waits for this lock while a piece is copied, the store least of all.
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

            /// Has the next piece refused; the store knows of it, and what was written goes with the writer.
            func abandonHere() {
                isAbandoned.store(true, ordering: .relaxed)
            }
        }
    }
}
