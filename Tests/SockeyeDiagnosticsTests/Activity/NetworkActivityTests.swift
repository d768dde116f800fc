import Sockeye
import SockeyeCore
import SockeyeDiagnostics
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Testing

@Suite("Network activity", .timeLimit(.minutes(1)))
struct NetworkActivityTests {
    private let clock = ManualClock()
    private let time: HTTPClient

    init() {
        time = HTTPClient(clock: clock)
    }

    private func activity(_ onChange: (@Sendable (Bool) -> Void)? = nil) -> NetworkActivity {
        NetworkActivity(clock: time.scope.settings.clock, onChange: onChange)
    }

    @Test("activity shows after one second and until 0.17 s after its end")
    func delays() async throws {
        let reports = Recorder<Bool>()
        let activity = activity { reports.append($0) }
        var changes = activity.changes.makeAsyncIterator()
        #expect(await changes.next() == false)
        activity.increment()
        #expect(activity.state == .delayingStart)
        clock.advance(by: .milliseconds(999))
        #expect(!activity.isActive)
        clock.advance(by: .milliseconds(1))
        #expect(await changes.next() == true)
        #expect(activity.isActive)
        activity.decrement()
        #expect(activity.isActive)
        #expect(activity.state == .delayingEnd)
        clock.advance(by: .milliseconds(170))
        #expect(await changes.next() == false)
        #expect(!activity.isActive)
        await eventually("reports of the start and the end") { reports.values == [true, false] }
    }

    @Test("short activity does not show, and a short gap does not hide long activity")
    func short() async {
        let reports = Recorder<Bool>()
        let activity = activity { reports.append($0) }
        activity.increment()
        activity.decrement()
        clock.advance(by: .seconds(1))
        await eventually("the end of the delay") { activity.state == .inactive }
        activity.increment()
        clock.advance(by: .seconds(1))
        await eventually("the start of the activity") { activity.isActive }
        for _ in 0..<100 {
            activity.decrement()
            clock.advance(by: .milliseconds(169))
            activity.increment()
            #expect(activity.state == .active)
        }
        await eventually("the report") { !reports.values.isEmpty }
        #expect(reports.values == [true])
    }

    @Test("the count does not go below zero")
    func count() {
        let activity = activity()
        activity.decrement()
        #expect(activity.count == 0)
        activity.increment()
        activity.increment()
        activity.decrement()
        #expect(activity.count == 1)
    }

    @Test("a call counts until its content has been read")
    func calls() async throws {
        try await withTestServer { _ in
            .ok("content")
        } run: { server in
            let activity = NetworkActivity(activationDelay: .zero, completionDelay: .zero)
            let client = HTTPClient().monitored(by: activity)
            let response = try await client.get(server.url())
            // A body as short as this may have arrived with its head.
            let isCounted = activity.count == 1
            #expect(activity.isActive == isCounted)
            _ = try await response.text()
            #expect(activity.count == 0)
            #expect(!activity.isActive)
        }
    }

    @Test("a call counts until its unread response is dropped or the call fails")
    func streams() async throws {
        try await withTestServer { request in
            request.path == "/never" ? .never : .source(length: 64 << 20)
        } run: { server in
            let activity = NetworkActivity(activationDelay: .zero, completionDelay: .zero)
            let client = HTTPClient().monitored(by: activity)
            do {
                let response = try await client.get(server.url())
                #expect(activity.count == 1)
                #expect(activity.isActive)
                _ = response.status
            }
            await eventually("the end of the dropped response") { activity.count == 0 }
            let waiting = Task { try await client.get(server.url("/never")) }
            await eventually("one running call") { activity.count == 1 }
            waiting.cancel()
            _ = await waiting.result
            #expect(activity.count == 0)
            await #expect(throws: SockeyeError.self) { try await client.get("http://127.0.0.1:1/") }
            #expect(activity.count == 0)
            _ = server.takeFailures()
        }
    }

    @Test("the call of a paused task does not count")
    func pausedTask() async throws {
        try await withTestServer { _ in
            .never
        } run: { server in
            let activity = NetworkActivity(activationDelay: .zero, completionDelay: .zero)
            let client = HTTPClient().monitored(by: activity)
            let task = try client.dataTask(.get, server.url(), as: .bytes)
            await eventually("one running call") { activity.count == 1 }
            await task.pause()
            #expect(activity.count == 0)
            #expect(!activity.isActive)
            await task.resume()
            #expect(activity.count == 1)
            await task.cancel()
            await eventually("the end of the cancelled transfer") { activity.count == 0 }
            _ = server.takeFailures()
        }
    }

    @Test("the onChange closure may read the activity, and its last call reports the latest state")
    func reports() async {
        let reports = Recorder<Bool>()
        let counts = Recorder<Int>()
        let box = Recorder<NetworkActivity>()
        let activity = NetworkActivity(activationDelay: .zero, completionDelay: .zero) { isActive in
            for activity in box.values { counts.append(activity.count) }
            reports.append(isActive)
        }
        box.append(activity)
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<500 {
                        activity.increment()
                        activity.decrement()
                    }
                }
            }
        }
        #expect(activity.count == 0)
        #expect(!activity.isActive)
        await eventually("the last report") { reports.values.last == false }
        let values = reports.values
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 != $1 })
        #expect(!counts.values.isEmpty)
    }

    @Test("a stream of changes ends when the activity is released")
    func end() async {
        var activity: NetworkActivity? = activity()
        let changes = activity?.changes
        activity?.increment()
        activity = nil
        var values: [Bool] = []
        if let changes { for await value in changes { values.append(value) } }
        #expect(values == [false])
    }
}
