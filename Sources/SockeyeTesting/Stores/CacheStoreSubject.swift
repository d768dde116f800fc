import Sockeye
package import SockeyeCache
package import SockeyeCore
import SockeyeHTTP

/// A cache store under test, with the helpers that all checks of the store contract use.
package struct CacheStoreSubject: Sendable {
    package let store: any CachePolicy.Store
    private let promise: String
    private let prefix: String

    /// - Parameter prefix: The prefix of all keys; if nil, a random prefix that only this value uses.
    package init(store: any CachePolicy.Store, promise: CacheStoreContract? = nil, prefix: String? = nil) {
        self.store = store
        self.promise = promise?.rawValue ?? "store"
        self.prefix = prefix ?? "https://contract.test/\(UInt64.random(in: .min ... .max))/"
    }

    package func key(_ name: String) -> String { prefix + name }

    package func demand(_ condition: Bool, _ what: @autoclosure () -> String) throws {
        if !condition { throw CacheStoreContract.Violation(description: "\(promise): \(what())") }
    }

    /// Makes a response that varies by the field Foo. The checks store it with the content that ``content(_:_:)``
    /// derives from its id.
    package static func response(
        _ id: String, foo: String = "", headers: Headers = [:], partition: String = ""
    ) throws -> CachedResponse {
        let cacheRequest = CacheRequest(
            method: .get, url: try HTTPURL("https://contract.test/"), headers: foo.isEmpty ? [:] : ["Foo": foo],
            decodes: true, separators: partition.isEmpty ? [] : [partition])
        guard let cacheRequest else {
            throw CacheStoreContract.Violation(
                description: "OpenSSL could not compute the digest by which a cache separates users")
        }
        var headers = headers
        headers[.vary] = "Foo"
        return CachedResponse(
            id: id, status: 200, reason: "OK", headers: headers, isDecoded: false, to: cacheRequest,
            requestTime: 1_700_000_000, responseTime: 1_700_000_001)
    }

    /// Makes content in pages of 4 KiB. Each page starts with its number, and its other bytes derive from the name.
    /// Checks thus notice the content of another name, and pages at a wrong position.
    package static func content(_ name: String, _ count: Int) -> Bytes {
        var state: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
        var page = [UInt8](repeating: 0, count: 4096)
        for index in page.indices {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            page[index] = UInt8(truncatingIfNeeded: state >> 33)
        }
        var content: [UInt8] = []
        content.reserveCapacity(count + page.count)
        var number = 0
        while content.count < count {
            for index in 0..<4 { page[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
            content.append(contentsOf: page)
            number += 1
        }
        return Bytes(content.prefix(count))
    }

    /// Stores a response with the content derived from its id.
    package func store(
        _ response: CachedResponse, _ count: Int, under key: String, pieces: Int = 16 << 10
    ) async throws {
        guard let writer = try await store.writer(for: response, key: key) else {
            throw CacheStoreContract.Violation(
                description: "\(promise): the store refuses a response of \(count) bytes")
        }
        try await Self.write(Self.content(response.id, count), to: writer, pieces: pieces)
        try await writer.commit()
    }

    package static func write(_ content: Bytes, to writer: any CachePolicy.Writer, pieces: Int) async throws {
        var start = 0
        while start < content.count {
            let end = min(start + pieces, content.count)
            try await writer.write(content.slice(start..<end))
            start = end
        }
    }

    package func find(_ id: String, under key: String) async throws -> CachedResponse? {
        try await store.responses(for: key).first { $0.id == id }
    }

    /// Reads the content of a response, or a range of it; nil if the store no longer has it.
    package func read(_ response: CachedResponse, under key: String, _ range: Range<Int>? = nil) async throws -> Bytes?
    {
        guard let body = try await store.body(of: response, for: key) else { return nil }
        return try await Self.read(body, range ?? 0..<response.bodyLength)
    }

    package static func read(_ body: CachedResponse.Body, _ range: Range<Int>) async throws -> Bytes {
        var content = BytesAccumulator(expected: nil)
        switch body {
        case .pieces(let pieces):
            for piece in pieces { content.append(piece) }
            let whole = content.finish()
            guard range.upperBound <= whole.count else { return whole }
            return whole.slice(range)
        case .stream(let open):
            var iterator = open(range).makeAsyncIterator()
            while let piece = try await iterator.next(isolation: nil) { content.append(piece) }
            return content.finish()
        }
    }

    /// Demands that a response is stored with the content derived from its id.
    package func demandStored(_ id: String, _ count: Int, under key: String) async throws {
        guard let found = try await find(id, under: key) else { return try demand(false, "\(id) is not stored") }
        try demand(found.bodyLength == count, "\(id) has \(found.bodyLength) bytes instead of \(count)")
        let content = try await read(found, under: key)
        try demand(
            content == Self.content(id, count), "the content of \(id) differs from the \(count) bytes written")
    }

    package func demandGone(_ response: CachedResponse, under key: String) async throws {
        try demand(try await find(response.id, under: key) == nil, "\(response.id) is still stored")
        try demand(try await store.body(of: response, for: key) == nil, "the content of \(response.id) is still stored")
    }
}
