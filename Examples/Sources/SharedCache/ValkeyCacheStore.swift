import Foundation
import NIOCore
import Sockeye
import SockeyeCache

/// A cache that several machines share: a custom `CachePolicy.Store` in some 150 lines, on a Valkey or Redis server.
///
/// ```swift
/// let store = try ValkeyCacheStore(host: "127.0.0.1", port: 6379)
/// let client = HTTPClient().adding(.cache(store))
/// ```
///
/// The promises of a store, and how this store keeps them (`CacheStoreContract` of the test kit checks them):
///
/// - **All or nothing.** The writer collects the content, and one script stores it with its head. Scripts are atomic,
///   so no reader sees one without the other. Interrupted content is never sent.
/// - **Byte for byte.** Content is a separate byte string, found by the response's id. An update of the head does not
///   touch it, and a head never gets other content. If its length differs from the head's, the result is a miss.
/// - **Removed responses stay removed.** A removal sets the key's generation, a random text. A writer that began before
///   has the previous generation, and the script refuses its response, whichever machine the writer runs on. The script
///   also refuses it if the generation has expired or was evicted, because a removal may have set the lost one. If a
///   removal does not reach the server, the responses remain until they are stale or expire after `lifetime`.
/// - **A bound.** A response has at most `entryLimit` bytes and expires after `lifetime`. The server's `maxmemory` with
///   `maxmemory-policy allkeys-lru` limits all responses together. Evicted content is a miss. A key has at most 32
///   responses, because callers choose the field values by which they vary, and a look-up reads all heads of a key.
/// - **A failure is a miss.** Every failure is thrown, and the client then asks the origin. If the server does not
///   answer, an attempt to connect fails after a second, and so does each command.
///
/// Not included: TLS and passwords of the server, clusters (all names of a key have one hash tag, so they are in one
/// slot), and streaming. Bodies of more than some MiB belong on a disk.
public struct ValkeyCacheStore: CachePolicy.Store {
    /// The maximum number of responses (variants) of one key.
    private static let variants = 32

    private let connection: RESPConnection
    private let entryLimit: Int
    private let lifetime: Int

    /// Makes a store. It connects when it is first used.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - entryLimit: The maximum of bytes of content in a response. Default 1 MiB.
    ///   - lifetime: The time for which a response is kept, fresh or stale; the origin may confirm a stale one. Rounded
    ///     down to seconds, at least 1. Default: one day.
    public init(host: String, port: Int, entryLimit: Int = 1 << 20, lifetime: Duration = .seconds(86_400)) throws {
        self.init(try SocketAddress.makeAddressResolvingHost(host, port: port), entryLimit, lifetime)
    }

    /// Makes a store that connects over a unix-domain socket. See ``init(host:port:entryLimit:lifetime:)``.
    public init(unixSocket path: String, entryLimit: Int = 1 << 20, lifetime: Duration = .seconds(86_400)) throws {
        self.init(try SocketAddress(unixDomainSocketPath: path), entryLimit, lifetime)
    }

    private init(_ address: SocketAddress, _ entryLimit: Int, _ lifetime: Duration) {
        connection = RESPConnection(address)
        self.entryLimit = entryLimit
        self.lifetime = max(1, Int(lifetime.components.seconds))
    }

    /// Closes the connection.
    public func close() async {
        await connection.close()
    }

    /// Reads the heads of a key with one command, without their content.
    public func responses(for key: String) async throws -> [CachedResponse] {
        guard case .list(let rows) = try await send("HGETALL", Names(key).heads) else { return [] }
        return stride(from: 0, to: rows.count - 1, by: 2).compactMap { index in
            guard let id = rows[index].bytes, let head = rows[index + 1].bytes else { return nil }
            return Self.response(id: Bytes(id.readableBytesView), head: Bytes(head.readableBytesView))
        }
    }

    /// Returns the response of a row; nil if the row is damaged, or another version or another program wrote it.
    ///
    /// Uses `JSONResponseDecoder`, because `JSONDecoder` alone crashes the process if a text is nested too deep.
    static func response(id: Bytes, head: Bytes) -> CachedResponse? {
        let response = try? JSONResponseDecoder().decode(CachedResponse.self, from: head)
        return response.flatMap { Bytes($0.id) == id ? $0 : nil }
    }

    /// Reads the content of a response; nil if it was evicted.
    public func body(of response: CachedResponse, for key: String) async throws -> CachedResponse.Body? {
        let content = try await send("GET", Names(key).body + response.id).bytes
        guard let content, content.readableBytes == response.bodyLength else { return nil }
        return .pieces([Bytes(content.readableBytesView)])
    }

    /// Begins to collect a response; nil if its Content-Length exceeds the limit. Sets a missing generation of the key.
    public func writer(for response: CachedResponse, key: String) async throws -> (any CachePolicy.Writer)? {
        if let length = response.headers[.contentLength].flatMap(Int.init), length > entryLimit { return nil }
        let script = """
            redis.call('SET', KEYS[1], ARGV[1], 'NX', 'EX', ARGV[2])
            redis.call('EXPIRE', KEYS[1], ARGV[2])
            return redis.call('GET', KEYS[1])
            """
        let values = [Self.newGeneration(), ByteBuffer(string: "\(lifetime)")]
        guard let generation = try await run(script, [Names(key).generation], values).bytes else { return nil }
        return ValkeyWriter(response: response, key: key, generation: generation, limit: entryLimit, store: self)
    }

    /// Replaces the head of a response; does nothing if the response was removed.
    public func update(_ response: CachedResponse, for key: String) async throws {
        let script =
            "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end"
        try await run(script, [Names(key).heads], [ByteBuffer(string: response.id), Self.head(response)])
    }

    /// Removes one response.
    public func remove(_ response: CachedResponse, for key: String) async throws {
        _ = try await send("HDEL", Names(key).heads, response.id)
        _ = try await send("DEL", Names(key).body + response.id)
    }

    /// Removes all responses of a key. Responses that any machine is writing under it are refused.
    public func removeAll(for key: String) async throws {
        let names = Names(key)
        let script = """
            redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
            for _, id in ipairs(redis.call('HKEYS', KEYS[2])) do redis.call('DEL', KEYS[3] .. id) end
            redis.call('DEL', KEYS[2])
            """
        let values = [Self.newGeneration(), ByteBuffer(string: "\(lifetime)")]
        try await run(script, [names.generation, names.heads, names.body], values)
    }

    /// Stores a response and removes those that it replaces. Does nothing unless the key still has the generation of
    /// the writer.
    ///
    /// If the key has 32 responses already, an arbitrary one is removed, because a hash has no order.
    func insert(_ response: CachedResponse, _ content: ByteBuffer, key: String, generation: ByteBuffer) async throws {
        let names = Names(key)
        let replaced = try await responses(for: key).filter { response.replaces($0) }
        let script = """
            if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
            for i = 6, #ARGV do
                redis.call('HDEL', KEYS[2], ARGV[i])
                redis.call('DEL', KEYS[3] .. ARGV[i])
            end
            local ids = redis.call('HKEYS', KEYS[2])
            for i = \(Self.variants), #ids do
                redis.call('HDEL', KEYS[2], ids[i])
                redis.call('DEL', KEYS[3] .. ids[i])
            end
            redis.call('SET', KEYS[3] .. ARGV[2], ARGV[4], 'EX', ARGV[5])
            redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
            redis.call('EXPIRE', KEYS[2], ARGV[5])
            return 1
            """
        let values = [
            generation, ByteBuffer(string: response.id), try Self.head(response), content,
            ByteBuffer(string: "\(lifetime)"),
        ]
        try await run(
            script, [names.generation, names.heads, names.body], values + replaced.map { ByteBuffer(string: $0.id) })
    }

    // MARK: Commands

    /// The names of a key's entries in the server. The text in braces is the hash tag, which determines the slot in a
    /// cluster.
    private struct Names {
        let generation: String
        let heads: String
        let body: String

        init(_ key: String) {
            let tag = "sockeye:{\(key)}"
            (generation, heads, body) = (tag + ":generation", tag + ":heads", tag + ":body:")
        }
    }

    /// Returns a unique text. A counter would begin again after its expiry and repeat earlier values.
    private static func newGeneration() -> ByteBuffer { ByteBuffer(string: UUID().uuidString) }

    private static func head(_ response: CachedResponse) throws -> ByteBuffer {
        ByteBuffer(bytes: try JSONEncoder().encode(response))
    }

    private func send(_ command: String...) async throws -> RESPValue {
        try await connection.send(command.map { ByteBuffer(string: $0) })
    }

    @discardableResult
    private func run(_ script: String, _ keys: [String], _ values: [ByteBuffer]) async throws -> RESPValue {
        let words = ["EVAL", script, "\(keys.count)"] + keys
        return try await connection.send(words.map { ByteBuffer(string: $0) } + values)
    }
}

/// Collects content up to a limit, and sends it when it is complete.
private actor ValkeyWriter: CachePolicy.Writer {
    struct TooLarge: Error {}

    private let response: CachedResponse
    private let key: String
    private let generation: ByteBuffer
    private let limit: Int
    private let store: ValkeyCacheStore
    private var content = ByteBuffer()

    init(response: CachedResponse, key: String, generation: ByteBuffer, limit: Int, store: ValkeyCacheStore) {
        self.response = response
        self.key = key
        self.generation = generation
        self.limit = limit
        self.store = store
    }

    func write(_ piece: Bytes) throws {
        guard piece.count <= limit - content.readableBytes else { throw TooLarge() }
        content.writeBytes(piece)
    }

    func commit() async throws {
        var response = response
        response.bodyLength = content.readableBytes
        try await store.insert(response, content, key: key, generation: generation)
    }

    /// Does nothing, because nothing was sent.
    nonisolated func abandon() {}
}
