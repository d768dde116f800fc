import Sockeye
import SockeyeCache
import SockeyeCore
import SockeyeEssentials
import SockeyeStreams
import SockeyeWebSocket

extension SoakExchange {
    /// Reads an endless answer until the deadline ends it.
    func stream(_ client: HTTPClient, _ url: String) async throws -> Bytes? {
        if behaviour.shape == .socket { return try await messages(client, url) }
        let response = try await client.get(url, options: options)
        if ending == .dropped { return nil }
        var count = 0
        switch behaviour.shape {
        case .lines: for try await _ in response.body.lines { count += 1 }
        case .events: for try await _ in response.body.events { count += 1 }
        case .jsonLines: for try await _ in response.body.jsonLines(of: [String: Int].self) { count += 1 }
        default: for try await _ in response.body { count += 1 }
        }
        throw UnmetCondition("an endless answer, not \(count) pieces")
    }

    /// Receives endless messages. A WebSocket has no deadline for its messages, so a timer cancels the reading.
    ///
    /// The timer starts after the handshake, which has a deadline. A cancelled handshake would end with
    /// `SockeyeError.cancelled`, which the soak reports as wrong. On a loaded machine, 60 ms are too short for some
    /// handshakes.
    private func messages(_ client: HTTPClient, _ url: String) async throws -> Bytes? {
        let (opened, opening) = AsyncStream.makeStream(of: Void.self)
        let reading = Task {
            defer { opening.finish() }
            try await client.webSocket(url, options: options) { connection in
                opening.finish()
                for try await _ in connection.messages {}
            }
        }
        let timer = Task {
            for await _ in opened {}
            try? await Task.sleep(for: behaviour.deadline)
            reading.cancel()
        }
        defer { timer.cancel() }
        try await withTaskCancellationHandler {
            try await reading.value
        } onCancel: {
            reading.cancel()
        }
        throw UnmetCondition("an endless stream of messages")
    }

    /// Sends three equal requests that are joined. The first response is not read before the others are complete.
    func joined(_ client: HTTPClient, _ url: String) async throws -> Bytes? {
        var options = options
        options.timeouts = Timeouts(total: behaviour.deadline, stall: .seconds(1))
        let client = client.adding(.cache(CachePolicy(CachePolicy.MemoryStore(limit: 1 << 20))))
        let unread = try await client.get(url, options: options)
        let shared = options
        async let first = client.get(url, options: shared).bytes()
        async let second = client.get(url, options: shared).bytes()
        let contents = try await [first, second]
        guard contents[0] == contents[1] else { throw UnmetCondition("the same content for both readers") }
        if ending == .dropped { return nil }
        // This reader may have fallen so far behind that its content is requested again.
        let last = try await unread.bytes()
        guard last == contents[0] else { throw UnmetCondition("the same content for the slowest reader") }
        return last
    }
}
