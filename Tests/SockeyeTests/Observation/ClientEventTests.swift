import Foundation
import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Testing

@Suite("Client events", .timeLimit(.minutes(1))) struct ClientEventTests {
    private enum NameKey: OutgoingRequest.ContextKey { typealias Value = String }

    private let events = Recorder<ClientEvent>()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Returns the values that `pick` extracts from the recorded events.
    private func values<Value>(_ pick: (ClientEvent) -> Value?) -> [Value] { events.values.compactMap(pick) }

    /// Makes a call that sends content, is redirected and receives content.
    private func redirectedCall(_ client: (HTTPClient) -> HTTPClient) async throws {
        try await withTestServer { request in
            _ = try await request.body.collect()
            return request.path == "/" ? .redirect(to: "/next", status: 307) : .text("end", headers: ["X-A": "b"])
        } run: { server in
            let text = try await client(HTTPClient()).post(server.url(), .body("1234")).text()
            #expect(text == "end")
        }
    }

    @Test("the events of a call have its request, its responses and its figures")
    func call() async throws {
        try await redirectedCall { $0.monitored { events.append($0) } }
        let start = try #require(values { if case .callStarted(let start) = $0 { start } else { nil } }.first)
        #expect(start.request.method == .post && start.request.body.length == 4 && start.task == nil)
        let connected = values { if case .exchangeConnected(let exchange) = $0 { exchange.metrics } else { nil } }
        #expect(connected.map { $0.connection?.isReused } == [false, true])
        let sent = values { if case .bodySent(let progress) = $0 { progress } else { nil } }
        #expect(sent.map(\.bytes) == [4, 4] && sent.map(\.total) == [4, 4])
        let requests = values { if case .requestSent(let exchange) = $0 { exchange.metrics.sent != nil } else { nil } }
        #expect(requests == [true, true])
        let heads = values { if case .headReceived(let head) = $0 { head } else { nil } }
        #expect(heads.map { $0.response["X-A"] } == [nil, "b"] && heads.map(\.metrics.status?.code) == [307, 200])
        let read = values { if case .bodyReceived(let progress) = $0 { progress } else { nil } }
        #expect(read.map(\.bytes) == [3] && read.map(\.total) == [3])
        let ended = values { if case .exchangeEnded(let exchange) = $0 { exchange.metrics } else { nil } }
        #expect(ended.map(\.url.path) == ["/", "/next"] && ended.allSatisfy { $0.end != nil })
        let prior = values { if case .callContinued(let continuation) = $0 { continuation.exchange } else { nil } }
        #expect(prior.map(\.reason) == [.redirected])
        let end = try #require(values { if case .callReturned(let end) = $0 { end } else { nil } }.first)
        let response = try end.outcome.get()
        #expect(response.status == .ok && end.metrics.exchanges.count == 2 && end.duration > .zero)
        #expect(Set(events.values.map { $0.call?.id }) == [start.call.id])
    }

    private static let kindsOfCalls: [ClientEvent.Kinds] = [
        .callStarted, .exchangeStarted, .exchangeConnected, .bodySent, .requestSent, .headReceived, .bodyReceived,
        .exchangeEnded, .callContinued, .callReturned, [.callStarted, .callReturned],
    ]

    @Test("a monitor gets only events of the kinds that it wants", arguments: kindsOfCalls)
    func kinds(wanted: ClientEvent.Kinds) async throws {
        let all = Recorder<ClientEvent.Kinds>()
        try await redirectedCall { $0.monitored { all.append($0.kind) }.monitored(wanted) { events.append($0) } }
        let expected = all.values.filter { wanted.isSuperset(of: $0) }
        #expect(!expected.isEmpty && events.values.map(\.kind) == expected)
    }

    @Test("failed exchanges have a kind of their own")
    func failures() async throws {
        let closed = try ClosedPort()
        try await redirectedCall { $0.monitored(.exchangeFailed) { events.append($0) } }
        let client = HTTPClient().monitored(.exchangeFailed) { events.append($0) }
        await #expect(throws: SockeyeError.self) { try await client.get("http://127.0.0.1:\(closed.port)/") }
        let errors = values { if case .exchangeEnded(let exchange) = $0 { exchange.metrics.error?.code } else { nil } }
        #expect(errors == [.connectFailed] && events.values.count == 1)
    }

    @Test("the events of a task have its request, its context and its value")
    func task() async throws {
        try await withTestServer { _ in
            .ok("content")
        } run: { server in
            let client = HTTPClient().monitored { events.append($0) }
            let task = try client.dataTask(
                .get, server.url(), options: .context(NameKey.self, "a"), as: .text)
            #expect(try await task.value == "content")
            await client.transfers.invalidate()
            let resumed = values { if case .taskResumed(let task) = $0 { task } else { nil } }
            #expect(resumed.map(\.id) == [task.id] && resumed.first?.context[NameKey.self] == "a")
            #expect(resumed.first?.request.url.description == server.url("/") && resumed.first?.kind == .data)
            let calls = values { if case .callStarted(let start) = $0 { start.task } else { nil } }
            #expect(calls == [task.id])
            let end = try #require(values { if case .taskEnded(let end) = $0 { end } else { nil } }.first)
            #expect(end.value as? String == "content" && end.error == nil)
            #expect(end.response?.status == .ok && end.metrics?.exchanges.count == 1)
            #expect(events.values.last?.kind == .tasksInvalidated)
        }
    }

    @Test("the end of a failed task has its error")
    func failedTask() async throws {
        let closed = try ClosedPort()
        let client = HTTPClient().monitored(.taskEnded) { events.append($0) }
        let task = try client.dataTask(.get, "http://127.0.0.1:\(closed.port)/", as: .text)
        await #expect(throws: SockeyeError.self) { try await task.value }
        await eventually("the end of the task") { events.values.count == 1 }
        let errors = values { if case .taskEnded(let end) = $0 { end.error?.code } else { nil } }
        #expect(errors == [.connectFailed])
    }

    @Test("the event of a moved download has the path and the error, if any", arguments: [true, false])
    func moves(succeeds: Bool) async throws {
        let path = folder("file")
        let release = TestSignal()
        try await withTestServer { _, responder in
            try await responder.sendHead(headers: [:], length: 10)
            try await responder.write("01234")
            try await release.wait(timeout: .seconds(20))
            try await responder.write("56789")
            try await responder.finish()
        } run: { server in
            let client = HTTPClient().monitored(.fileMoved) { events.append($0) }
            let task = try client.download(server.url(), to: .file(path))
            for await progress in task.progress where progress.completed == 5 { break }
            // The folder is created only now, because a download checks its path before the first request.
            if !succeeds {
                try FileManager.default.createDirectory(atPath: path + "/x", withIntermediateDirectories: true)
            }
            release.fire()
            let file = try? await task.value
            #expect((file != nil) == succeeds)
            let moves = values { if case .fileMoved(let move) = $0 { move } else { nil } }
            #expect(moves.map(\.path) == [path] && moves.first?.task?.id == task.id && moves.first?.call == nil)
            #expect((moves.first?.error == nil) == succeeds)
        }
    }

    @Test("a call reports that its response becomes a file, and the move of that file")
    func becomingDownload() async throws {
        let path = folder("file")
        try await withTestServer { _ in
            .ok("content")
        } run: { server in
            let client = HTTPClient().monitored([.becameDownload, .fileMoved]) { events.append($0) }
            _ = try await client.get(
                server.url(), as: IncomingResponse.DecidingSerializer(.text) { _ in .download(to: .file(path)) })
            let chosen = values { if case .becameDownload(let download) = $0 { download.response.status } else { nil } }
            #expect(chosen == [.ok])
            let moves = values { if case .fileMoved(let move) = $0 { move } else { nil } }
            #expect(moves.map(\.path) == [path] && moves.first?.task == nil && moves.first?.error == nil)
            #expect(Set(events.values.map { $0.call?.method }) == [.get])
        }
    }

    @Test("with a custom transport, events have the durations of the client's clock")
    func duration() async throws {
        let clock = ManualClock()
        let mock = MockTransport { _ in
            clock.advance(by: .seconds(3))
            return .ok()
        }
        let client = try HTTPClient.retrying(mock, .plain(), clock: clock)
            .monitored([.callReturned, .exchangeEnded]) { events.append($0) }
        _ = try await client.get("http://a.example/users?key=k3y")
        let id = try #require(events.values.first?.call?.id)
        let line = "#\(id) GET http://a.example/users?key=***: 200 after 3.0 seconds"
        #expect(events.values.last?.description == line)
        let times = values { if case .exchangeEnded(let exchange) = $0 { exchange.metrics.end } else { nil } }
        #expect(times == [.seconds(3)])
    }

    @Test("each event is described in one line without secrets")
    func descriptions() async throws {
        let mock = MockTransport()
        mock.enqueue(.redirect(to: "/next?token=t0ken"), .text("12345", headers: ["X-Key": "s3cret"]))
        let client = HTTPClient(transport: mock).monitored { events.append($0) }
        _ = try await client.put(
            "http://ada:passw0rd@a.example/start?key=k3y", .body("body"), headers: ["Cookie": "c00kie"]
        ).text()
        let lines = events.values.map(\.description)
        var dumped = "\(events.values)"
        dump(events.values, to: &dumped)
        for secret in ["passw0rd", "ada", "k3y", "t0ken", "s3cret", "c00kie", "12345"] {
            #expect(!dumped.contains(secret), "\(dumped)")
        }
        #expect(lines.allSatisfy { $0.hasPrefix("#\(events.values[0].call?.id ?? 0) ") && !$0.contains("\n") })
        #expect(lines.first?.hasSuffix("PUT http://a.example/start?key=***: started") == true, "\(lines)")
        #expect(lines.contains { $0.hasSuffix("302, redirected") }, "\(lines)")
        #expect(lines.last?.contains(": 200 after ") == true, "\(lines)")
    }
}
