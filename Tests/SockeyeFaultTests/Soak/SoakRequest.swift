import HTTPTypes
import Sockeye
import SockeyeCore
import SockeyeTestSupport

/// One request of the soak run, chosen by chance.
struct SoakRequest: Sendable {
    enum Outcome: Sendable {
        case success, cancelled, failure, unexpected
    }

    enum Ending: Sendable, Equatable {
        case read, dropped, cancelled(turns: Int)
    }

    let overTLS: Bool
    private let kind: String
    private let size: Int
    private let method: HTTPRequest.Method
    private let bodySize: Int
    private let isStreamed: Bool
    private let ending: Ending

    private static let wellBehaved = ["length", "length", "length", "chunked", "chunked", "close", "silent"]
    private static let faulty = ["truncated", "reset", "garbage", "never"]

    init(_ random: inout Seeded) {
        overTLS = random.next() % 3 == 0
        let isFaulty = random.next() % 8 == 0
        let chosen = (isFaulty ? Self.faulty : Self.wellBehaved).randomElement(using: &random) ?? "length"
        kind = chosen
        size = random.next() % 20 == 0 ? Int(random.next() % 500_000) : Int(random.next() % 3000)
        method = [.get, .get, .head, .post, .put, .delete].randomElement(using: &random) ?? .get
        let hasBody = method == .post || method == .put
        bodySize = !hasBody ? 0 : random.next() % 10 == 0 ? Int(random.next() % 2_000_000) : Int(random.next() % 5000)
        isStreamed = random.next() % 2 == 0
        let chance = random.next() % 10
        let turns = Int(random.next() % 60)
        ending = chosen == "never" || chance == 0 ? .cancelled(turns: turns) : chance == 1 ? .dropped : .read
    }

    func run(with client: HTTPClient, on target: SoakTarget) async -> Outcome {
        let work = Task { try await exchange(with: client, target.server.url("/\(kind)/\(size)")) }
        if case .cancelled(let turns) = ending {
            for _ in 0..<turns { await Task.yield() }
            work.cancel()
        }
        switch await work.result {
        case .success(let isRight):
            return isRight ? .success : .unexpected
        case .failure(let error as SockeyeError):
            if error.code == .cancelled, ending != .read, ending != .dropped { return .cancelled }
            // A POST that met a connection closed without a word is not repeated: that is as it should be.
            let isExcusable = Self.faulty.contains(kind) || !isRepeatable
            if !isExcusable { ChildProcess.say("unexpected: \(method) \(kind) \(size) \(ending): \(error)") }
            return isExcusable ? .failure : .unexpected
        case .failure(let error):
            ChildProcess.say("foreign: \(error)")
            return .unexpected
        }
    }

    private var isRepeatable: Bool { method != .post && !(isStreamed && bodySize > 0) }

    private func exchange(with client: HTTPClient, _ url: String) async throws -> Bool {
        let response = try await client.request(method, url, body: body)
        if ending == .dropped { return true }
        let count = try await response.bytes().count
        return count == (method == .head ? 0 : size)
    }

    private var body: RequestBody {
        guard bodySize > 0 else { return .none }
        guard isStreamed else { return .bytes(Large.body(bodySize)) }
        let count = bodySize
        let chunks = AsyncStream<Bytes> { continuation in
            var offset = 0
            while offset < count {
                let size = min(100_000, count - offset)
                continuation.yield(Large.body.slice(offset..<offset + size))
                offset += size
            }
            continuation.finish()
        }
        return .stream(chunks, length: count % 2 == 0 ? count : nil)
    }
}
