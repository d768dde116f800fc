import Sockeye
import SockeyeCore
import SockeyeTesting
import Testing

/// Repeated requests.
@Suite struct RetryTests {
    @Test("retry-02: cancel during the retry delay", .timeLimit(.minutes(1)))
    func cancellation() async throws {
        let waits = TestSignal()
        var policy = RetryPolicy.retry(max: 5, backoff: .constant(.seconds(3600)))
        policy.onRetry = { _ in waits.fire() }
        let client = HTTPClient().adding(.retry(policy))
        try await withTestServer { _ in
            .status(503)
        } run: { server in
            let task = Task { try await client.get(server.url()) }
            try await waits.wait(timeout: .seconds(20))
            task.cancel()
            let error = await failure { try await task.value } as? SockeyeError
            #expect(error?.code == .cancelled)
            #expect(error?.history.map(\.status?.code) == [503])
            #expect(server.activity.requests == 1)
        }
    }

    @Test("upload-13: retry or redirect with a one-shot stream body", .timeLimit(.minutes(1)))
    func oneShot() async throws {
        let client = HTTPClient().adding(.retry(max: 3, backoff: .none))
        let pieces = AsyncStream<Bytes> { continuation in
            continuation.yield(Bytes("whole"))
            continuation.finish()
        }
        let log = RequestLog()
        try await withTestServer { request in
            try await log.take(request)
            return request.path == "/307" ? .redirect(to: "/end", status: 307) : .text("busy", status: 503)
        } run: { server in
            let busy = try await client.put(server.url("/503"), .stream(pieces))
            #expect(busy.status == .serviceUnavailable)
            #expect(try await busy.text() == "busy")
            #expect(log.all.map { String(decoding: $0.body, as: UTF8.self) } == ["whole"])
            let fresh = OutgoingRequest.Body.stream { AsyncStream<Bytes> { $0.finish() } }
            let again = try await client.put(server.url("/503"), .body(fresh))
            #expect(again.history.count == 3)
            let once = AsyncStream<Bytes> { continuation in
                continuation.yield(Bytes("once"))
                continuation.finish()
            }
            let moved = try await client.put(server.url("/307"), .stream(once))
            #expect(moved.status.code == 307)
            #expect(log.all.last.map { String(decoding: $0.body, as: UTF8.self) } == "once")
        }
    }
}
