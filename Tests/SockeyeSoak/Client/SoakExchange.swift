import HTTPTypes
import Sockeye
import SockeyeCore
import SockeyeEssentials
import SockeyeTestSupport

/// One exchange, which its number and the seed determine.
struct SoakExchange: Sendable {
    enum Ending: Sendable, Equatable {
        /// The body is read, the response is dropped unread, or the task is cancelled after a number of yields and a
        /// pause in microseconds.
        case read, dropped
        case cancelled(yields: Int, pause: Int)
    }

    let behaviour: Behaviour
    let nonce: UInt64
    let size: Int
    let bodySize: Int
    let overTLS: Bool
    let ending: Ending

    init(_ number: Int, seed: UInt64) {
        var random = SoakRandom(state: seed &+ UInt64(truncatingIfNeeded: number) &* 0xD134_2543_DE82_EF95)
        behaviour = Behaviours.deck[Int(random.next() % UInt64(Behaviours.deck.count))]
        nonce = random.next() >> 1
        // Only large bodies are still arriving when equal requests join.
        let least = behaviour.shape == .joined ? 300_000 : 1
        size = least + Int(random.next() % (random.next() % 40 == 0 ? 200_000 : 3000))
        bodySize = 1 + Int(random.next() % (random.next() % 30 == 0 ? 1_000_000 : 4000))
        overTLS = random.next() % 4 == 0
        switch random.next() % 16 {
        case 0: ending = .dropped
        case 1: ending = .cancelled(yields: Int(random.next() % 60), pause: 0)
        case 2: ending = .cancelled(yields: 0, pause: Int(random.next() % 3000))
        default: ending = .read
        }
    }

    var path: String { "/\(behaviour.segment)/\(String(nonce, radix: 16))/\(size)" }

    /// True if the request can be sent again after its connection turns out to be closed (RFC 9110 9.2.2).
    var isRepeatable: Bool { behaviour.shape != .post && behaviour.shape != .stream }

    func run(with client: HTTPClient, on servers: SoakServers, in folder: String) async -> SoakOutcome {
        let clock = ContinuousClock()
        let (start, others) = (clock.now, TimeOfOthers.shared.recent)
        let work = Task { try await content(client, servers, folder) }
        if case .cancelled(let yields, let pause) = ending {
            for _ in 0..<yields { await Task.yield() }
            if pause > 0 { try? await Task.sleep(for: .microseconds(pause)) }
            work.cancel()
        }
        let result = await work.result
        let time = clock.now - start
        return SoakOutcome(self, result, after: time, ofOthers: ProcessMeter.timeOfOthers - others)
    }

    /// Returns the received content, or nil if it was not read.
    private func content(_ client: HTTPClient, _ servers: SoakServers, _ folder: String) async throws -> Bytes? {
        let url = servers.url(of: self)
        switch behaviour.shape {
        case .download: return try await download(client, url, folder)
        case .pieces, .lines, .events, .jsonLines, .socket: return try await stream(client, url)
        case .joined: return try await joined(client, url)
        case .reload: servers.reload()
        case .get, .head, .post, .upload, .stream, .expecting: break
        }
        let response = try await client.request(method, url, .body(body), options: options)
        if ending == .dropped { return nil }
        let bytes = try await response.bytes()
        if let digest = response["x-digest"], digest != Digest.of(sent) {
            throw UnmetCondition("the body that was sent")
        }
        return bytes
    }

    private var method: HTTPRequest.Method {
        switch behaviour.shape {
        case .get, .download, .pieces, .lines, .events, .jsonLines, .socket, .joined, .reload: .get
        case .head: .head
        case .post: .post
        case .upload, .stream, .expecting: .put
        }
    }

    var options: OutgoingRequest.Options {
        var options = OutgoingRequest.Options.timeout(total: behaviour.deadline)
        if behaviour.shape == .expecting { options.expectContinue = .seconds(1) }
        return options
    }

    private var sent: Bytes {
        // The body of "upload not read" is larger than the socket buffers, so the client cannot send all of it to a
        // peer that does not read.
        let count = behaviour.name == "upload not read" ? 16 << 20 : bodySize
        return Content.bytes(nonce &+ 1, count)
    }

    private var body: OutgoingRequest.Body {
        switch behaviour.shape {
        case .get, .head, .download, .pieces, .lines, .events, .jsonLines, .socket, .joined, .reload: return .none
        case .post, .upload, .expecting: return .bytes(sent)
        case .stream:
            let bytes = sent
            let chunks = AsyncStream<Bytes> { continuation in
                var offset = 0
                while offset < bytes.count {
                    let end = min(bytes.count, offset + 50_000)
                    continuation.yield(bytes.slice(offset..<end))
                    offset = end
                }
                continuation.finish()
            }
            return .stream(chunks, length: nonce % 2 == 0 ? bytes.count : nil)
        }
    }
}
