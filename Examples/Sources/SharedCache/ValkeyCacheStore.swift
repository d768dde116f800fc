import Foundation
import NIOCore
import Sockeye

/// A cache that several machines share: a `CachePolicy.Store` of your own in some 150 lines, on a Valkey or Redis server.
///
/// ```swift
/// let store = try ValkeyCacheStore(host: "127.0.0.1", port: 6379)
/// let client = HTTPClient().adding(.cache(store))
/// ```
///
/// What a store has to promise, and how this one does it (`CacheStoreContract` of the test kit checks it):
///
/// - **Whole or not at all.** Content is collected here, and one script puts it and its head into the server: scripts are
///   atomic, so nobody sees the one without the other. What breaks off is never sent.
/// - **Byte for byte.** Content is a byte string of its own, found by the response's id: an update of the head does not touch
///   it, and a head never meets another one's content. One of another length than the head says is a miss.
/// - **What was removed stays removed.** A removal counts up the key's generation. Who began to write before that has another
///   one, and the script refuses him, on whichever machine he is.
/// - **A bound.** A response has at most `entryLimit` bytes, and goes after `lifetime`; the server's `maxmemory` with
///   `maxmemory-policy allkeys-lru` bounds them all. Content that it evicts is a miss.
/// - **A failure is a miss.** Everything that goes wrong is thrown, and then the origin is asked. Nothing waits longer than a
///   second for a server that does not answer.
///
/// Not here: TLS and passwords of the server, a cluster (all names of a key have one hash tag, so they are in one slot), and
/// streaming: a body above some MiB belongs on a disk.
public struct ValkeyCacheStore: CachePolicy.Store {
    private let connection: RESPConnection
    private let entryLimit: Int
    private let lifetime: Int

    /// Connects when it is used first.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - entryLimit: The bytes of content that one response has at most.
    ///   - lifetime: How long a response is kept, be it fresh or not: a stale one may still be confirmed by its origin.
    public init(host: String, port: Int, entryLimit: Int = 1 << 20, lifetime: Duration = .seconds(86_400)) throws {
        self.init(try SocketAddress.makeAddressResolvingHost(host, port: port), entryLimit, lifetime)
    }

    /// As ``init(host:port:entryLimit:lifetime:)``, over a unix-domain socket.
    public init(unixSocket path: String, entryLimit: Int = 1 << 20, lifetime: Duration = .seconds(86_400)) throws {
        self.init(try SocketAddress(unixDomainSocketPath: path), entryLimit, lifetime)
    }

    private init(_ address: SocketAddress, _ entryLimit: Int, _ lifetime: Duration) {
        connection = RESPConnection(address)
        self.entryLimit = entryLimit
        self.lifetime = max(1, Int(lifetime.components.seconds))
    }

    /// Ends the connection.
    public func close() async {
        await connection.close()
    }

    /// The heads of a key, in one command; content stays where it is.
    public func responses(for key: String) async throws -> [CachedResponse] {
        guard case .list(let rows) = try await send("HGETALL", Names(key).heads) else { return [] }
        return stride(from: 0, to: rows.count - 1, by: 2).compactMap { index in
            guard let id = rows[index].bytes, let head = rows[index + 1].bytes else { return nil }
            return Self.response(id: Bytes(id.readableBytesView), head: Bytes(head.readableBytesView))
        }
    }

    /// The response of a row; nil if it is damaged, or another version or another program wrote it.
    ///
    /// Not by `JSONDecoder` alone, which ends the process if a text is nested too deep.
    static func response(id: Bytes, head: Bytes) -> CachedResponse? {
        let response = try? JSONResponseDecoder().decode(CachedResponse.self, from: head)
        return response.flatMap { Bytes($0.id) == id ? $0 : nil }
    }

    /// The content of one of them; nil where it was evicted.
    public func body(of response: CachedResponse, for key: String) async throws -> CachedResponse.Body? {
        let content = try await send("GET", Names(key).body + response.id).bytes
        guard let content, content.readableBytes == response.bodyLength else { return nil }
        return .pieces([Bytes(content.readableBytesView)])
    }

    /// Begins to collect a response; nil where it is announced too large.
    public func writer(for response: CachedResponse, key: String) async throws -> (any CachePolicy.Writer)? {
        if let length = response.headers[.contentLength].flatMap(Int.init), length > entryLimit { return nil }
        let generation = try await send("GET", Names(key).generation).bytes ?? ByteBuffer()
        return ValkeyWriter(response: response, key: key, generation: generation, limit: entryLimit, store: self)
    }

    /// Gives a response another head, where it is still there.
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

    /// Removes a key, and ends what is being written under it, whoever writes.
    public func removeAll(for key: String) async throws {
        let names = Names(key)
        let script = """
            redis.call('INCR', KEYS[1])
            redis.call('EXPIRE', KEYS[1], ARGV[1])
            for _, id in ipairs(redis.call('HKEYS', KEYS[2])) do redis.call('DEL', KEYS[3] .. id) end
            redis.call('DEL', KEYS[2])
            """
        try await run(script, [names.generation, names.heads, names.body], [ByteBuffer(string: "\(lifetime)")])
    }

    /// Puts a response in, unless its key was removed since its writer began; in the place of those that it replaces.
    func insert(_ response: CachedResponse, _ content: ByteBuffer, key: String, generation: ByteBuffer) async throws {
        let names = Names(key)
        let replaced = try await responses(for: key).filter { response.replaces($0) }
        let script = """
            if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
            for i = 6, #ARGV do
                redis.call('HDEL', KEYS[2], ARGV[i])
                redis.call('DEL', KEYS[3] .. ARGV[i])
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

    /// The names of what belongs to a key. What is in braces decides about the slot in a cluster.
    private struct Names {
        let generation: String
        let heads: String
        let body: String

        init(_ key: String) {
            let tag = "sockeye:{\(key)}"
            (generation, heads, body) = (tag + ":generation", tag + ":heads", tag + ":body:")
        }
    }

    private static func head(_ response: CachedResponse) throws -> ByteBuffer {
        ByteBuffer(bytes: try JSONEncoder().encode(response))
    }

    private func send(_ command: String...) async throws -> RESPValue {
        try await connection.send(command.map { ByteBuffer(string: $0) })
    }

    private func run(_ script: String, _ keys: [String], _ values: [ByteBuffer]) async throws {
        let words = ["EVAL", script, "\(keys.count)"] + keys
        _ = try await connection.send(words.map { ByteBuffer(string: $0) } + values)
    }
}

/// Collects content, up to a limit, and sends it when all of it is there.
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

    /// Nothing was sent, so there is nothing to take back.
    nonisolated func abandon() {}
}
