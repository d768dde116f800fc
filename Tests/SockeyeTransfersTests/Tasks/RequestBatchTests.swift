import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Synchronization
import Testing

@Suite("Batches of requests", .timeLimit(.minutes(1))) struct RequestBatchTests {
    private let client = HTTPClient(
        transport: MockTransport { request in
            request.path == "/bad" ? .status(500) : .ok(request.path)
        })

    private func urls(_ paths: [String]) -> [String] { paths.map { "http://a.example\($0)" } }

    @Test("a batch without requests ends at once")
    func empty() async throws {
        let batch = client.batch([OutgoingRequest](), as: .text)
        #expect(try await batch.values().isEmpty)
        #expect(await batch.results().isEmpty)
        for await _ in batch { Issue.record("an empty batch yielded an item") }
    }

    @Test("a batch has its values in order, at any width", arguments: [-1, 1, 2, 7, 100])
    func values(width: Int) async throws {
        let paths = (0..<20).map { "/\($0)" }
        let progress = Recorder<Int>()
        let batch = try client.batch(urls(paths), atMost: width, as: .text)
        let values = try await batch.values { done, total in
            progress.append(done)
            #expect(total == 20)
        }
        #expect(values == paths)
        #expect(progress.values == Array(1...20))
    }

    @Test("a batch of requests sends the serializer's Accept unless a request has one")
    func accept() async throws {
        let client = HTTPClient(transport: MockTransport { .ok($0["Accept"] ?? "none") })
        let asked = AcceptingSerializer()
        let url = "http://a.example/"
        let requests = [try OutgoingRequest(url: url), try OutgoingRequest(url: url, headers: [.accept: "text/own"])]
        #expect(try await client.batch(requests, as: asked).values() == ["text/x", "text/own"])
        #expect(try await client.batch([url], as: asked).values() == ["text/x"])
    }

    private struct AcceptingSerializer: ResponseSerializer {
        var accept: String? { "text/x" }

        func value(of response: IncomingResponse) async throws -> String { try await response.text() }
    }

    @Test("`values` throws the first error, and `results` has an outcome for each request")
    func errors() async throws {
        let batch = try client.batch(urls(["/1", "/bad", "/3"]), atMost: 1, as: .text)
        let error = await #expect(throws: SockeyeError.self) { try await batch.values() }
        #expect(error?.code == .unacceptableStatus)
        let results = await batch.results()
        #expect(results.map { (try? $0.get()) ?? "-" } == ["/1", "-", "/3"])
    }

    @Test("`values` starts no request after the first error")
    func stopping() async throws {
        let mock = MockTransport { _ in .status(500) }
        let batch = try HTTPClient(transport: mock).batch(urls(["/1", "/2", "/3"]), atMost: 1, as: .text)
        await #expect(throws: SockeyeError.self) { try await batch.values() }
        #expect(mock.requests.count == 1)
    }

    @Test("iterating a batch yields the outcome of each request with its index")
    func sequence() async throws {
        var indices: Set<Int> = []
        for await item in try client.batch(urls(["/0", "/1", "/2"]), atMost: 2, as: .text) {
            #expect(try item.outcome.get() == "/\(item.index)")
            indices.insert(item.index)
        }
        #expect(indices == [0, 1, 2])
    }

    @Test("a batch never runs more requests at a time than its width")
    func width() async throws {
        let running = Mutex((now: 0, most: 0))
        try await withTestServer { _ in
            running.withLock { running in
                running.now += 1
                running.most = max(running.most, running.now)
            }
            await Task.yield()
            running.withLock { $0.now -= 1 }
            return .ok()
        } run: { server in
            let urls = (0..<40).map { server.url("/\($0)") }
            let results = await (try HTTPClient().batch(urls, atMost: 3, as: .bytes)).results()
            #expect(results.allSatisfy { (try? $0.get()) != nil })
            #expect(running.withLock { $0.most } <= 3)
        }
    }

    @Test("a batch waits for a slow consumer")
    func slowConsumer() async throws {
        let mock = MockTransport { request in .ok(request.path) }
        let batch = try HTTPClient(transport: mock).batch(urls((0..<50).map { "/\($0)" }), atMost: 3, as: .text)
        var taken = 0
        for await _ in batch {
            taken += 1
            for _ in 0..<50 { await Task.yield() }
            #expect(mock.requests.count <= taken + 3)
        }
        #expect(taken == 50)
    }

    @Test("a batch ends when its iterator is released")
    func abandoned() async throws {
        let arrived = TestSignal()
        try await withTestServer { request in
            if request.path == "/0" { return .ok() }
            arrived.fire()
            return .never
        } run: { server in
            let client = HTTPClient()
            let batch = try client.batch((0..<9).map { server.url("/\($0)") }, atMost: 2, as: .bytes)
            for await item in batch {
                #expect(item.index == 0)
                try await arrived.wait(timeout: .seconds(20))
                break
            }
            while client.pool?.statistics.leased != 0 { await Task.yield() }
        }
    }

    @Test("a batch ends when its task is cancelled")
    func cancelling() async throws {
        let arrived = TestSignal()
        try await withTestServer { _ in
            arrived.fire()
            return .never
        } run: { server in
            let urls = (0..<10).map { server.url("/\($0)") }
            let batch = try HTTPClient().batch(urls, atMost: 2, as: .bytes)
            let task = Task { await batch.results() }
            try await arrived.wait(timeout: .seconds(20))
            task.cancel()
            let results = await task.value
            #expect(results.count == 10)
            let codes = results.map { result -> SockeyeError.Code? in
                if case .failure(let error) = result { error.code } else { nil }
            }
            #expect(codes.allSatisfy { $0 == .cancelled })
        }
    }
}
