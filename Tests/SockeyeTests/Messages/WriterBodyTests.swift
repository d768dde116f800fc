import Foundation
import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

/// Bodies that a closure writes while they are sent.
@Suite("Bodies written by closures", .timeLimit(.minutes(1)))
struct WriterBodyTests {
    private let client = HTTPClient()

    @Test("a written body is sent chunked, or plain if its length is given", arguments: [nil, 11])
    func framing(length: Int?) async throws {
        try await withTestServer { request in
            let framing = request["Content-Length"] ?? request["Transfer-Encoding"] ?? "-"
            return .ok("\(framing) \(try await request.text())")
        } run: { server in
            let content = HTTPClient.Content.writer(length: length, contentType: "text/plain") { body in
                try await body.write("one ")
                try await body.write([UInt8]())
                try await body.write(Data("two ".utf8))
                try await body.write(Bytes("six"))
                #expect(body.count == 11)
            }
            let text = try await client.post(server.url(), content).text()
            #expect(text == "\(length.map(String.init) ?? "chunked") one two six")
        }
    }

    @Test("a written body that is longer or shorter than declared fails the request", arguments: [2, 4])
    func lengthMismatch(declared: Int) async throws {
        try await withTestServer { request in
            _ = try? await request.body.collect()
            return .ok()
        } run: { server in
            let error = await #expect(throws: SockeyeError.self) {
                try await client.put(server.url(), .writer(length: declared) { try await $0.write([1, 2, 3]) })
            }
            #expect(error?.code == .bodyLengthMismatch && error?.blame == .caller)
            _ = server.takeFailures()
        }
    }

    @Test(
        "the request also fails if the closure ignores the error of a piece beyond the declared length",
        arguments: 0..<3)
    func ignoredExcess(index: Int) async throws {
        let body = OutgoingRequest.Body.writer(length: 10) { body in
            try await body.write("12345")
            for piece in ["ABCDEFGH", "67890"] { try? await body.write(piece) }
        }
        try await withTestServer { request in
            _ = try? await request.body.collect()
            return .ok()
        } run: { server in
            let contents: [HTTPClient.Content] = [
                .body(body), .body(body.trailers { [:] }), .multipart { $0.part("a", body) },
            ]
            let error = await #expect(throws: SockeyeError.self) {
                try await client.put(server.url(), contents[index])
            }
            #expect(error?.code == .bodyLengthMismatch && error?.blame == .caller)
            _ = server.takeFailures()
        }
    }

    @Test("a written body can have trailers that are known only at its end")
    func trailers() async throws {
        try await withTestServer { request in
            let content = try await request.text()
            return .ok("\(content) \(request.trailers["X-Count"] ?? "-")")
        } run: { server in
            let count = Atomic(0)
            let body = OutgoingRequest.Body.writer { body in
                for line in ["a", "b"] { try await body.write(line) }
                count.store(body.count, ordering: .relaxed)
            }
            let sent = body.trailers { ["X-Count": "\(count.load(ordering: .relaxed))"] }
            let text = try await client.post(server.url(), .body(sent)).text()
            #expect(text == "ab 2")
        }
    }

    @Test("a writer goes no faster than the peer reads")
    func backpressure() async throws {
        let mayRead = TestSignal()
        let written = Recorder<Int>()
        try await withTestServer { request in
            try await mayRead.wait()
            return .ok("\(try await request.body.discard())")
        } run: { server in
            let size = 64 << 20
            let call = Task {
                try await client.post(
                    server.url(),
                    .writer(length: size) { body in
                        let piece = Bytes([UInt8](repeating: 7, count: 256 << 10))
                        while body.count < size {
                            try await body.write(piece)
                            written.append(body.count)
                        }
                    }
                ).text()
            }
            // The writer stops when the buffers of both sides are full.
            #expect(await settled { written.values.last ?? 0 } < size)
            mayRead.fire()
            let outcome = try await call.value
            #expect(outcome == "\(size)")
        }
    }

    @Test("a response before the end of the body makes the writer's next write throw, and is delivered")
    func earlyAnswer() async throws {
        let outcome = Recorder<String>()
        try await withTestServer { request, responder in
            // The handler waits for the first bytes: a writer that has not started when a response arrives is never
            // called.
            for try await _ in request.body { break }
            try await responder.send(.text("too much", status: 413))
            try await responder.waitForDisconnect()
        } run: { server in
            let response = try await client.post(
                server.url(),
                .writer { body in
                    do {
                        while true { try await body.write([UInt8](repeating: 1, count: 64 << 10)) }
                    } catch {
                        do throws(SockeyeError) { try await body.write("again") } catch {
                            outcome.append("\(error.code)")
                        }
                        throw error
                    }
                })
            #expect(response.status.code == 413)
            let text = try await response.text()
            #expect(text == "too much")
            await eventually("the end of the writer") { outcome.values == ["connectionClosed"] }
            _ = server.takeFailures()
        }
    }

    @Test("a writer is cancelled with its call")
    func cancellation() async throws {
        let began = TestSignal()
        let ended = TestSignal()
        try await withTestServer { request in
            _ = try? await request.body.discard()
            return .ok()
        } run: { server in
            let call = Task {
                try await client.post(
                    server.url(),
                    .writer { body in
                        try await body.write("begun")
                        began.fire()
                        // The writer waits for an event that has nothing to do with the connection.
                        try? await Task.sleep(for: .seconds(600))
                        if Task.isCancelled { ended.fire() }
                    })
            }
            try await began.wait()
            call.cancel()
            let error = await #expect(throws: SockeyeError.self) { try await call.value }
            #expect(error?.code == .cancelled)
            try await ended.wait()
            _ = server.takeFailures()
        }
    }

    @Test("a writer that throws aborts the request with its error")
    func failure() async throws {
        struct Broken: Error {}
        try await withTestServer { request in
            _ = try? await request.body.discard()
            return .ok()
        } run: { server in
            let error = await #expect(throws: SockeyeError.self) {
                try await client.post(
                    server.url(),
                    .writer { body in
                        try await body.write("some")
                        throw Broken()
                    })
            }
            #expect(error?.code == .bodyFailed && error?.underlying is Broken)
            _ = server.takeFailures()
        }
    }

    @Test("a writer is called again if it is replayable, and otherwise once")
    func replay() async throws {
        let calls = Atomic(0)
        let write: @Sendable (inout OutgoingRequest.Body.Writer) async throws -> Void = { body in
            calls.wrappingAdd(1, ordering: .relaxed)
            try await body.write("x")
        }
        try await withTestServer { request in
            // The body is read before the response, because a writer that was not called yet could be sent again.
            let text = try await request.text()
            return request.path == "/" ? .redirect(to: "/next", status: 307) : .ok(text)
        } run: { server in
            let again = try await client.post(server.url(), .writer(isReplayable: true, write))
            let text = try await again.text()
            #expect(text == "x" && calls.load(ordering: .relaxed) == 2)
            let status = try await client.post(server.url(), .writer(write)).status.code
            #expect(status == 307)
            let once = OutgoingRequest.Body.writer(write)
            #expect(!once.isReplayable)
            _ = try await client.post(server.url("/next"), .body(once))
            let error = await #expect(throws: SockeyeError.self) {
                try await client.post(server.url("/next"), .body(once))
            }
            #expect(error?.code == .bodyConsumed)
        }
    }

    @Test("a written body can be a part of a form, and its declared length is enforced")
    func part() async throws {
        try await withTestServer { request in
            .ok(try await request.text())
        } run: { server in
            let text = try await client.post(
                server.url(),
                .multipart { form in
                    form.part("log", .writer(length: 3) { try await $0.write("abc") }, filename: "a.txt")
                }
            ).text()
            #expect(text.contains("filename=\"a.txt\"") && text.contains("\r\n\r\nabc\r\n"))
            let error = await #expect(throws: SockeyeError.self) {
                try await client.post(
                    server.url(),
                    .multipart { form in form.part("log", .writer(length: 3) { try await $0.write("abcd") }) })
            }
            #expect(error?.code == .bodyLengthMismatch)
            _ = server.takeFailures()
        }
    }
}
