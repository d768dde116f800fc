import Sockeye
import SockeyeCore
import SockeyePlatform
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Bodies that arrive so fast that the client waits for whole blocks (SO_RCVLOWAT), and events after such a wait.
@Suite("Bodies that arrive in bulk", .serialized, .needs(.lowWaterMark), .timeLimit(.minutes(4)))
struct BulkTests {
    private let clock = ContinuousClock()

    @Test("a body that slows down is delivered as it arrives", arguments: [false, true])
    func trickle(isTLS: Bool) async throws {
        var fastest = Duration.seconds(60)
        for _ in 0..<5 {
            var scene = try await BulkScene.gathering(rest: 16 << 20, isTLS: isTLS)
            var count = 0
            while count < 3 || scene.lowWaterMark > 1, count < 1000 {
                count += 1
                let connection = scene.peer.connection
                let start = clock.now
                async let sent: Void = {
                    // After these yields the client usually waits; if it does not, this round proves nothing.
                    for _ in 0..<50 { await Task.yield() }
                    try await connection.write("x")
                }()
                #expect(try await scene.next()?.count == 1)
                let time = clock.now - start
                try await sent
                #expect(time < .seconds(2))
                fastest = min(fastest, time)
            }
            #expect(scene.lowWaterMark == 1)
        }
        // A busy machine may delay single rounds.
        #expect(fastest < .milliseconds(20))
    }

    @Test("an early end or a reset is reported after the received bytes", arguments: [false, true], [false, true])
    func cutShort(isReset: Bool, isTLS: Bool) async throws {
        var scene = try await BulkScene.gathering(rest: 16 << 20, isTLS: isTLS)
        let before = scene.received
        let connection = scene.peer.connection
        async let cut: Void = {
            try await connection.write(Large.body(1000))
            if isReset { connection.reset() } else { connection.close() }
        }()
        let error = await failure { try await scene.takeRest() }
        try await cut
        #expect(error?.phase == .body)
        #expect(error?.blame == .peer, "\(String(describing: error))")
        if !isReset { #expect(scene.received == before + 1000) }
        await scene.client.expectAtRest()
    }

    static let rests = [
        1, BulkScene.block - 1, BulkScene.block, BulkScene.block + 1, 2 * BulkScene.block - 1, 2 * BulkScene.block,
        2 * BulkScene.block + 1, 3 * BulkScene.block,
    ]

    @Test(
        "the end of a body is reported at once, and its connection serves small answers afterwards", arguments: rests,
        [false, true])
    func end(rest: Int, isSplit: Bool) async throws {
        var scene = try await BulkScene.gathering(rest: rest)
        let connection = scene.peer.connection
        async let sent: Void = {
            if isSplit { try await connection.write(Large.body(rest - 1)) }
            try await connection.write(Large.body(isSplit ? 1 : rest))
        }()
        try await scene.takeRest()
        try await sent
        try await expectServing(scene)
    }

    @Test("a body that is dropped shortly before its end leaves a reusable connection")
    func dropped() async throws {
        var scene = try await BulkScene.gathering(rest: 60 << 10)
        scene.drop()
        // The client waits for the rest of a dropped body if that is at most 64 KiB.
        try await scene.peer.connection.write(Large.body(60 << 10))
        let client = scene.client
        await eventually("the connection is idle") { client.pool?.statistics.idle == 1 }
        try await expectServing(scene)
    }

    @Test("a body that is dropped long before its end leaves no idle connection")
    func droppedEarly() async throws {
        var scene = try await BulkScene.gathering(rest: 16 << 20)
        scene.drop()
        await scene.client.expectAtRest()
        try await scene.peer.connection.discardToEnd()
    }

    /// Expects that the low-water mark is reset, and that responses sent in small pieces arrive.
    private func expectServing(
        _ scene: BulkScene, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(scene.lowWaterMark == 1, sourceLocation: sourceLocation)
        let (client, connection, url) = (scene.client, scene.peer.connection, scene.server.url())
        for _ in 0..<3 {
            async let answer = client.get(url).text()
            _ = try await connection.read(through: "\r\n\r\n")
            for piece in ["HTTP/1.1 200 OK\r\n", "Content-Length: 2\r\n\r\n", "o", "k"] {
                try await connection.write(piece)
            }
            #expect(try await answer == "ok", sourceLocation: sourceLocation)
        }
        #expect(scene.server.connections == 1, sourceLocation: sourceLocation)
        #expect(scene.lowWaterMark == 1, sourceLocation: sourceLocation)
    }

    @Test("a request can be cancelled while its body arrives")
    func cancelled() async throws {
        let waits = TestSignal()
        let task = Task {
            var scene = try await BulkScene.gathering(rest: 16 << 20)
            waits.fire()
            let error = await failure { try await scene.takeRest() }
            await scene.client.expectAtRest()
            return error
        }
        try await waits.wait()
        task.cancel()
        #expect(try await task.value?.code == .cancelled)
    }

    @Test("a body that stalls fails at the stall deadline, not later")
    func stall() async throws {
        let limit = Duration.milliseconds(300)
        var configuration = HTTPClient.Configuration()
        configuration.timeouts.stall = limit
        var excess = Duration.seconds(60)
        for _ in 0..<10 where excess >= .milliseconds(7) {
            var scene = try await BulkScene.gathering(
                rest: 16 << 20, client: HTTPClient(configuration: configuration))
            let start = clock.now
            let error = await failure { try await scene.takeRest() }
            let time = clock.now - start
            #expect(error?.code == .timeout && error?.limit?.name == "timeouts.stall", "\(String(describing: error))")
            #expect(time >= limit)
            excess = min(excess, time - limit)
        }
        #expect(excess < .milliseconds(7))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var framing = BulkScene.Framing.length
        var isManual = false
        let gathers: Bool
    }

    static let rows = [
        Row(testDescription: "with a length", gathers: true),
        Row(testDescription: "in a large chunk", framing: .chunk, gathers: true),
        Row(testDescription: "in small chunks", framing: .chunks(64 << 10), gathers: false),
        Row(testDescription: "until close", framing: .untilClose, gathers: false),
        Row(testDescription: "on a clock that stands still", isManual: true, gathers: false),
    ]

    @Test(
        "the client waits for whole blocks if enough bytes are certain to arrive and the clock is real", arguments: rows
    )
    func gathering(row: Row) async throws {
        var gathered = false
        var tries = 0
        // The system decides if the client has to wait at all. A row that expects a wait for a block therefore gets
        // many tries.
        let end = clock.now + .seconds(20)
        while !gathered, row.gathers ? clock.now < end : tries < 3 {
            tries += 1
            let client = row.isManual ? HTTPClient(configuration: .init(), clock: ManualClock()) : nil
            let scene = try await BulkScene(rest: 16 << 20, framing: row.framing, client: client)
            gathered = scene.hasWaitedForBlocks
        }
        #expect(gathered == row.gathers)
    }
}
