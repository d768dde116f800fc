import Sockeye
import SockeyeTesting
import Synchronization

// snippet.show
func uploadBackup(
    _ chunks: some AsyncSequence<[UInt8], Never> & Sendable, count: Int,
    to api: HTTPClient,
    progress: @escaping @Sendable (Double) -> Void
) async throws {
    let options = OutgoingRequest.Options.reportingProgress { sent in
        progress(Double(sent) / Double(count))
    }
    try await api.put(
        "backup", .stream(chunks, length: count), options: options,
        as: NoContent.self)
}
// snippet.hide

/// A sequence of `count` chunks of a million bytes.
private struct Millions: AsyncSequence, AsyncIteratorProtocol, Sendable {
    var count: Int
    private static let bytes = [UInt8](repeating: 0x78, count: 1_000_000)

    init(_ count: Int) { self.count = count }

    func makeAsyncIterator() -> Millions { self }

    mutating func next() async -> [UInt8]? { await next(isolation: #isolation) }

    mutating func next(isolation actor: isolated (any Actor)?) async -> [UInt8]? {
        count -= 1
        return count >= 0 ? Self.bytes : nil
    }
}

extension Job {
    static let upload = Job("200 MB from an AsyncSequence, with progress") {
        let received = Atomic(0)
        let last = Mutex(0.0)
        return try await withTestServer { request in
            received.store(try await request.body.discard(), ordering: .relaxed)
            return .status(204)
        } run: { server in
            let api = HTTPClient().scoped(baseURL: server.url())
            try await uploadBackup(Millions(200), count: 200_000_000, to: api) { done in
                last.withLock { $0 = max($0, done) }
            }
            return "\(received.load(ordering: .relaxed)) bytes, progress to \(last.withLock { $0 })"
        }
    }
}
