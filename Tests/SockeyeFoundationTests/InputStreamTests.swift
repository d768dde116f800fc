import Dispatch
import Foundation
import SockeyeFoundation
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

/// Foundation's input streams as the content of requests.
@Suite("Foundation's input streams as request content", .timeLimit(.minutes(1)))
struct InputStreamTests {
    private let client = HTTPClient()
    private static let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 % 251) })

    private func withEcho(_ body: (TestServer) async throws -> Void) async throws {
        try await withTestServer { request in
            let framing = request["Content-Length"] ?? request["Transfer-Encoding"] ?? "-"
            let content = try await request.body.collect()
            return .bytes(content, headers: ["X-Framing": framing, "X-Type": request["Content-Type"] ?? "-"])
        } run: { server in
            try await body(server)
        }
    }

    @Test(
        "a stream is sent chunked if its length is unknown, and with a Content-Length otherwise",
        arguments: [nil, content.count])
    func framing(length: Int?) async throws {
        try await withEcho { server in
            let response = try await client.put(
                server.url(), .inputStream(InputStream(data: Self.content), length: length, contentType: "x/y"))
            #expect(response["X-Framing"] == length.map(String.init) ?? "chunked")
            #expect(response["X-Type"] == "x/y")
            #expect(try await response.bytes().elementsEqual(Self.content))
        }
    }

    @Test("the client opens a file's stream, reads it, and closes it when the request ends")
    func files() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID().uuidString)").path()
        try Self.content.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await withEcho { server in
            let stream = try #require(InputStream(fileAtPath: path))
            let response = try await client.put(server.url(), .inputStream(stream))
            #expect(try await response.bytes().elementsEqual(Self.content))
            await eventually("the end of the stream") { !Self.isOpen(path) }
        }
    }

    private static func isOpen(_ path: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
    }

    @Test("a stream that is longer or shorter than declared fails the request", arguments: [-1, 1])
    func lengths(offset: Int) async throws {
        try await withTestServer { request in
            _ = try? await request.body.discard()
            return .ok()
        } run: { server in
            let error = await #expect(throws: SockeyeError.self) {
                try await client.put(
                    server.url(),
                    .inputStream(InputStream(data: Self.content), length: Self.content.count + offset))
            }
            #expect(error?.code == .bodyLengthMismatch)
            _ = server.takeFailures()
        }
    }

    @Test("a body that recreates its stream follows a redirect, and a body with a single stream is sent only once")
    func replay() async throws {
        let made = Atomic(0)
        try await withTestServer { request in
            // The handler reads before it answers, because an unread stream could still follow the redirect.
            let count = try await request.body.discard()
            return request.path == "/" ? .redirect(to: "/next", status: 307) : .ok("\(count)")
        } run: { server in
            let response = try await client.post(
                server.url(),
                .inputStream {
                    made.wrappingAdd(1, ordering: .relaxed)
                    return InputStream(data: Self.content)
                })
            let text = try await response.text()
            #expect(text == "300000" && made.load(ordering: .relaxed) == 2)
            let once = OutgoingRequest.Body.inputStream(InputStream(data: Self.content))
            #expect(!once.isReplayable)
            let status = try await client.post(server.url(), .body(once)).status.code
            #expect(status == 307)
            let error = await #expect(throws: SockeyeError.self) {
                try await client.post(server.url("/next"), .body(once))
            }
            #expect(error?.code == .bodyConsumed)
        }
    }

    @Test("a form with a stream of known length as a part is sent with a Content-Length")
    func part() async throws {
        try await withTestServer { request in
            .ok("\(request["Content-Length"] != nil) \(try await request.text())")
        } run: { server in
            let text = try await client.post(
                server.url(),
                .multipart { form in
                    form.inputStream("raw", InputStream(data: Data("abc".utf8)), length: 3, filename: "a.txt")
                }
            ).text()
            #expect(text.hasPrefix("true ") && text.contains("filename=\"a.txt\"") && text.contains("\r\n\r\nabc\r\n"))
        }
    }

    @Test("an unreadable stream fails the request with the reason")
    func failure() async throws {
        try await withTestServer { request in
            _ = try? await request.body.discard()
            return .ok()
        } run: { server in
            let error = await #expect(throws: SockeyeError.self) {
                try await client.put(
                    server.url(), .inputStream(try #require(InputStream(fileAtPath: "/nonexistent/file"))))
            }
            #expect(error?.code == .bodyFailed && error?.underlying != nil)
            _ = server.takeFailures()
        }
    }

    /// The state that a test shares with a stream after it has given the stream to the client.
    private final class Gate: Sendable {
        let semaphore = DispatchSemaphore(value: 0)
        let reads = Atomic(0)
        let served = Atomic(0)
    }

    /// A stream that is open from the beginning.
    private class GatedStream: InputStream {
        fileprivate var gate = Gate()

        static func make(_ gate: Gate) -> sending Self {
            let stream = Self(data: Data())
            stream.gate = gate
            return stream
        }

        required override init(data: Data) { super.init(data: data) }

        override var streamStatus: Stream.Status { .open }
        override func open() {}
        override func close() {}
    }

    /// A stream of two bytes, each of which arrives when the test signals it.
    private final class SlowStream: GatedStream {
        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength count: Int) -> Int {
            guard gate.reads.wrappingAdd(1, ordering: .relaxed).newValue < 3 else { return 0 }
            gate.semaphore.wait()
            unsafe buffer[0] = UInt8(ascii: "x")
            return 1
        }
    }

    /// A stream of endless bytes.
    private final class EndlessStream: GatedStream {
        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength count: Int) -> Int {
            unsafe buffer.update(repeating: 7, count: count)
            gate.served.wrappingAdd(count, ordering: .relaxed)
            return count
        }
    }

    @Test("streams that block occupy no thread of the concurrency pool, and do not delay a cancelled call")
    func blocking() async throws {
        try await withEcho { server in
            let client = client
            let count = ProcessInfo.processInfo.activeProcessorCount * 2 + 2
            let gates = (0..<count).map { _ in Gate() }
            let calls = gates.map { gate in
                Task { () async throws -> String in
                    try await client.put(server.url(), .inputStream { SlowStream.make(gate) }).text()
                }
            }
            for gate in gates { await eventually("a read") { gate.reads.load(ordering: .relaxed) > 0 } }
            let quick = try await client.put(server.url(), .text("quick")).text()
            #expect(quick == "quick")
            calls[0].cancel()
            let error = await #expect(throws: SockeyeError.self) { try await calls[0].value }
            #expect(error?.code == .cancelled)
            for gate in gates {
                gate.semaphore.signal()
                gate.semaphore.signal()
            }
            for call in calls.dropFirst() {
                let text = try await call.value
                #expect(text == "xx")
            }
            _ = server.takeFailures()
        }
    }

    @Test("a stream is read no faster than the peer reads")
    func backpressure() async throws {
        let mayAnswer = TestSignal()
        try await withTestServer { _ in
            try await mayAnswer.wait()
            return .status(413)
        } run: { server in
            let (client, gate) = (client, Gate())
            let call = Task { () async throws -> Int in
                try await client.put(server.url(), .inputStream { EndlessStream.make(gate) }).status.code
            }
            #expect(await settled { gate.served.load(ordering: .relaxed) } < 64 << 20)
            mayAnswer.fire()
            let status = try await call.value
            #expect(status == 413)
            _ = server.takeFailures()
        }
    }
}
