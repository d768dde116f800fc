import Glibc
import SockeyeCore
import SockeyeNet
import Testing

@Suite("Poller", .timeLimit(.minutes(1)))
struct PollerTests {
    @Test("a sleep ends when the manual clock passes its deadline")
    func manualSleep() async throws {
        let time = ManualTime()
        let poller = try EventPoller(time: TimeSource(manual: time))
        let timer = try WaitTimer(poller: poller)
        let deadline = time.now.advanced(by: .seconds(60))
        async let wake = timer.sleep(until: deadline)
        time.advance(by: .seconds(59))
        time.advance(by: .seconds(2))
        #expect(await wake == .timedOut)
    }

    @Test("a signal before the sleep ends it at once")
    func earlySignal() async throws {
        let timer = try WaitTimer(poller: EventPoller())
        timer.signal()
        #expect(await timer.sleep(until: .distantFuture) == .ready)
    }

    @Test("closing a timer ends its sleep and every later sleep")
    func closing() async throws {
        let timer = try WaitTimer(poller: EventPoller())
        async let wake = timer.sleep(until: .distantFuture)
        timer.close()
        #expect(await wake == .closed)
        #expect(await timer.sleep(until: .distantFuture) == .closed)
    }

    @Test("a duplicate of a socket is watched although an earlier one with the same number was")
    func duplicates() async throws {
        let poller = try EventPoller()
        var ends: [Int32] = [-1, -1]
        try unsafe #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let duplicate = dup(ends[0])
        for _ in 0..<3 {
            try #require(dup2(ends[0], duplicate) == duplicate)
            let point = try poller.makeWaitPoint(descriptor: duplicate)
            #expect(await point.wait(for: .write, as: .writer, until: .distantFuture) == .ready)
            point.close()
            poller.unwatch(duplicate)
        }
        for descriptor in ends + [duplicate] { close(descriptor) }
    }

    @Test("cancelling the task ends its sleep, even before the sleep begins")
    func cancellation() async throws {
        let poller = try EventPoller()
        for _ in 0..<200 {
            let timer = try WaitTimer(poller: poller)
            let task = Task { await timer.sleep(until: .distantFuture) }
            task.cancel()
            #expect(await task.value == .cancelled)
        }
    }

    @Test("every one of 500 sleeping tasks wakes when the clock passes its deadline")
    func manySleepers() async throws {
        let time = ManualTime()
        let poller = try EventPoller(time: TimeSource(manual: time))
        let start = time.now
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<500 {
                group.addTask {
                    (try? await poller.sleep(until: start.advanced(by: .milliseconds(index * 7919 % 500)))) != nil
                }
            }
            time.advance(by: .seconds(1))
            for await woke in group { #expect(woke) }
        }
    }

    @Test("bytes cross a loopback connection in both directions, and the peer sees its end")
    func loopback() async throws {
        let poller = try EventPoller()
        let listener = try Listener(address: EndpointAddress(literal: "127.0.0.1", port: 0)!, poller: poller)
        async let accepted = listener.accept()
        let client = try await SocketStream.connect(
            to: listener.address!, poller: poller, until: poller.time.now.advanced(by: .seconds(10)))
        let server = try await accepted
        try await client.send("ping")
        #expect(try await server.receive() == "ping")
        try await server.send("pong")
        #expect(try await client.receive() == "pong")
        _ = client.closeWrite()
        #expect(try await server.receive() == nil)
    }

    @Test("a hundred child tasks with the poller as preferred executor all run")
    func executor() async throws {
        let poller = try EventPoller()
        let sum = await withTaskExecutorPreference(poller) {
            await withTaskGroup(of: Int.self) { group in
                for number in 1...100 { group.addTask { number } }
                return await group.reduce(0, +)
            }
        }
        #expect(sum == 5050)
    }
}

extension SocketStream {
    fileprivate func send(_ text: String) async throws {
        let bytes = Array(text.utf8)
        guard case .bytes(bytes.count) = unsafe bytes.withUnsafeBytes({ unsafe write($0) }) else {
            throw TransportError.closed
        }
    }

    fileprivate func receive() async throws -> String? {
        while true {
            var buffer = [UInt8](repeating: 0, count: 1024)
            switch unsafe buffer.withUnsafeMutableBytes({ unsafe read(into: $0) }) {
            case .bytes(let count): return String(decoding: buffer[..<count], as: UTF8.self)
            case .end: return nil
            case .failed(let error): throw error
            case .wouldBlock(let interest): try await wait(for: interest, as: .reader, until: .distantFuture)
            }
        }
    }
}
