import Sockeye
import SockeyeCore
import SockeyeTesting
import Synchronization

/// A server with one resource that answers its requests with a list of answers in turn; the last one is repeated.
final class FaultyResource: Sendable {
    /// The answer to one request.
    struct Answer: Sendable {
        let send: @Sendable (ReceivedRequest, FaultyResource, TestResponder) async throws -> Void
    }

    /// The fields of a request that are relevant for downloads.
    struct ReceivedRequest: Sendable {
        /// The start of the range; nil without a range.
        let from: Int?
        /// The last position of the range; nil without one.
        let through: Int?
        let range: String?
        let ifRange: String?
        let acceptEncoding: String?
    }

    let body: Bytes
    private let log: Mutex<[ReceivedRequest]>
    private let started: Mutex<TestServer?>

    init(_ body: Bytes = FaultyResource.pattern) {
        self.body = body
        log = Mutex([])
        started = Mutex(nil)
    }

    /// Content with a prime number of random bytes, so that an error in block arithmetic cannot go unnoticed.
    static let pattern = unsafe Bytes(count: 300_007) { buffer in
        var generator = Seeded(state: 6)
        for index in buffer.indices { unsafe buffer[index] = UInt8.random(in: 0...255, using: &generator) }
    }

    /// Returns enough bytes for a download in parts.
    static func long(_ count: Int) -> Bytes {
        unsafe Bytes(count: count) { buffer in
            for index in buffer.indices { unsafe buffer[index] = UInt8(truncatingIfNeeded: index &* 31 ^ index >> 11) }
        }
    }

    /// Starts the server and returns its URL.
    func start(_ answers: [Answer], tls: TestTLS? = nil) async throws -> String {
        let server = try await TestServer.start(tls: tls) { request, responder in
            let range = request[.range]
            let ends = range?.dropFirst("bytes=".count).split(separator: "-").map { Int($0) } ?? []
            let received = ReceivedRequest(
                from: ends.first ?? nil, through: ends.count > 1 ? ends[1] : nil, range: range,
                ifRange: request[.ifRange], acceptEncoding: request[.acceptEncoding])
            let number = self.log.withLock { log in
                log.append(received)
                return log.count - 1
            }
            try await answers[min(number, answers.count - 1)].send(received, self, responder)
        }
        started.withLock { $0 = server }
        return server.url("/file.bin")
    }

    /// The requests received so far.
    var requests: [ReceivedRequest] { log.withLock { $0 } }

    func stop() async {
        await started.withLock { $0 }?.stop()
    }
}
