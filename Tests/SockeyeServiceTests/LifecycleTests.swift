#if Service
import Logging
import ServiceLifecycle
import ServiceLifecycleTestKit
import Sockeye
import SockeyeService
import SockeyeTesting
import Testing

@Suite("A client as a service of swift-service-lifecycle", .timeLimit(.minutes(1))) struct LifecycleTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test("a client that shuts down finishes its calls and refuses new ones")
    func graceful() async throws {
        let (asked, answer) = (TestSignal(), TestSignal())
        try await withTestServer { request in
            guard request.path == "/slow" else { return .ok("quick") }
            asked.fire()
            try await answer.wait(timeout: .seconds(20))
            return .ok("finished")
        } run: { server in
            let client = HTTPClient()
            let service = client.service()
            try await testGracefulShutdown { trigger in
                try await withThrowingTaskGroup(of: String?.self) { group in
                    group.addTask {
                        try await service.run()
                        return nil
                    }
                    group.addTask { try await client.get(server.url("/slow")).text() }
                    try await asked.wait(timeout: .seconds(20))
                    trigger.triggerGracefulShutdown()
                    try await refusal(of: client, server.url("/new"))
                    answer.fire()
                    var texts: [String] = []
                    for try await text in group { if let text { texts.append(text) } }
                    #expect(texts == ["finished"])
                }
            }
        }
    }

    /// Sends requests until one is refused. The server answers them until the shutdown reaches the client.
    private func refusal(of client: HTTPClient, _ url: String) async throws {
        while true {
            do {
                _ = try await client.get(url).text()
            } catch {
                #expect(error.code == .shutDown)
                return
            }
        }
    }

    @Test("a shutdown ends the calls that do not finish within the grace period")
    func gracePeriod() async throws {
        let asked = TestSignal()
        try await withTestServer { _ in
            .never
        } run: { server in
            let client = HTTPClient()
            try await testGracefulShutdown { trigger in
                async let run: Void = client.service(gracePeriod: .milliseconds(20)).run()
                async let code = failure(of: client, server.url(), asked)
                try await asked.wait(timeout: .seconds(20))
                trigger.triggerGracefulShutdown()
                #expect(await code == .shutDown)
                try await run
            }
        }
    }

    private func failure(
        of client: HTTPClient, _ url: String, _ asked: TestSignal
    ) async -> SockeyeError.Code? {
        struct Watch: EventMonitor {
            let asked: TestSignal
            let kinds: ClientEvent.Kinds = .requestSent
            func handle(_ event: ClientEvent) { asked.fire() }
        }
        do throws(SockeyeError) {
            _ = try await client.monitored(by: Watch(asked: asked)).get(url)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("a client shuts down after the services that use it")
    func group() async throws {
        struct Worker: Service {
            let client: HTTPClient
            let url: String
            let running: TestSignal
            let last: TestSignal

            func run() async throws {
                running.fire()
                try await gracefulShutdown()
                // The client comes before this service in the group, so it still works.
                #expect(try await client.get(url).text() == "still")
                last.fire()
            }
        }
        try await withTestServer { _ in
            .ok("still")
        } run: { server in
            let client = HTTPClient()
            let (running, last) = (TestSignal(), TestSignal())
            let worker = Worker(client: client, url: server.url(), running: running, last: last)
            let group = ServiceGroup(services: [client.service(), worker], logger: logger)
            async let run: Void = group.run()
            try await running.wait(timeout: .seconds(20))
            await group.triggerGracefulShutdown()
            try await run
            #expect(last.isFired)
            await #expect(throws: SockeyeError.self) { try await client.get(server.url()) }
        }
    }

    @Test("cancelling the task of the service shuts the client down")
    func cancelled() async throws {
        let client = HTTPClient()
        let task = Task { try await client.service().run() }
        task.cancel()
        try await task.value
        await #expect(throws: SockeyeError.self) { try await client.get("http://127.0.0.1:1/") }
    }
}
#endif
