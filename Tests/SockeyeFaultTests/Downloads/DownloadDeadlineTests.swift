import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Testing

/// The blame of the error when a download's total deadline passes.
@Suite("Total deadlines of downloads", .timeLimit(.minutes(1))) struct DownloadDeadlineTests {
    /// Answers a request for the whole resource with its beginning only, and requests for parts not at all.
    private static let silent = FaultyResource.Answer { request, resource, responder in
        if request.range == nil {
            let headers: Headers = [.eTag: "\"v1\"", .acceptRanges: "bytes"]
            try await responder.sendHead(headers: headers, length: resource.body.count)
            try await responder.write(resource.body.slice(0..<1000))
        }
        try await responder.waitForDisconnect()
    }

    @Test(
        "a total deadline that passes while the server is silent does not blame the disk", arguments: [1, 2, 4],
        [16, 1])
    func silentServer(parts: Int, connections: Int) async throws {
        var error = try await outcome(parts: parts, connections: connections)
        // Progress is reported on the disk's thread. On a busy machine the clock may pass the deadline before the
        // download has noticed the end of its write, and then the error rightly blames the disk.
        for _ in 0..<4 where error?.blame == .disk { error = try await outcome(parts: parts, connections: connections) }
        #expect(error?.code == .timeout && error?.limit?.name == "timeouts.total" && error?.blame != .disk)
    }

    /// Passes the deadline of a download that has written 1,000 bytes and waits for the server.
    private func outcome(parts: Int, connections: Int) async throws -> SockeyeError? {
        let clock = ManualClock()
        var configuration = HTTPClient.Configuration()
        configuration.pool.connectionsPerOrigin = connections
        let resource = FaultyResource(FaultyResource.long(4 << 20 | 3))
        let scene = try DownloadScene(resource, client: HTTPClient(configuration: configuration, clock: clock))
        let url = try await resource.start([Self.silent])
        let arrived = TestSignal()
        let ended = Task {
            await failure {
                _ = try await scene.run(url, options: .timeout(total: .seconds(30))) { settings in
                    settings.options.parallelParts = parts
                    settings.onEvent = { if case .progress(1000, _) = $0 { arrived.fire() } }
                }
            }
        }
        try await arrived.wait(timeout: .seconds(20))
        let asked = min(parts, connections)
        await eventually("requests for all parts") {
            let pool = scene.client.pool?.statistics
            return resource.requests.count == asked && pool?.waiting == parts - asked
        }
        clock.advance(by: .seconds(31))
        let error = await ended.value
        #expect(error?.resumeData?.bytesWritten == 1000)
        await error?.resumeData?.discard()
        await resource.stop()
        return error
    }
}
