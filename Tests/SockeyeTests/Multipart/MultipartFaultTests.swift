import Foundation
import Sockeye
import SockeyeStreams
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Testing

/// Faults between the making of a form and the end of its upload, over real connections.
@Suite("Multipart uploads", .timeLimit(.minutes(1)))
struct MultipartFaultTests {
    private func upload(
        _ build: @escaping @Sendable (inout MultipartForm) throws -> Void,
        meanwhile: @escaping @Sendable () throws -> Void = {}
    ) async throws -> String {
        try await withTestServer { request in
            guard request.method == .post else { return .ok("still there") }
            let content = try await request.body.collect(upTo: 64 << 20)
            let type = request["Content-Type"] ?? ""
            let response = IncomingResponse(
                status: .ok, headers: [.contentType: type], body: content, url: try HTTPURL("http://x/"))
            var lines = [request["Content-Length"] == nil ? "chunked" : "known"]
            for try await part in try response.parts() {
                lines.append(
                    "\(part.name ?? "-") \(part.filename ?? "-") \(try await part.bytes(upTo: 64 << 20).count)")
            }
            return .ok(lines.joined(separator: "\n"))
        } run: { server in
            let client = HTTPClient()
            do {
                var form = MultipartForm()
                try build(&form)
                try meanwhile()
                var request = try OutgoingRequest(method: .post, url: server.url())
                try request.setBody(form)
                return try await client.send(request).text()
            } catch {
                _ = server.takeFailures()
                #expect(try await client.get(server.url()).text() == "still there")
                _ = server.takeFailures()
                throw error
            }
        }
    }

    @Test("a form of memory, file and stream arrives, with and without a known length", arguments: [true, false])
    func mixed(isKnown: Bool) async throws {
        let file = try ScratchFile("big.bin", [UInt8](repeating: 3, count: 3_000_001))
        let text = try await upload { form in
            form.field("a", "1")
            try form.file("f", at: file.path)
            let chunks = Elements(Array(repeating: [UInt8](repeating: 1, count: 1000), count: 100))
            form.stream("s", chunks, length: isKnown ? 100_000 : nil, filename: "s.bin")
            form.data("d", [UInt8](repeating: 2, count: 200_000))
        }
        let kind = isKnown ? "known" : "chunked"
        #expect(text == "\(kind)\na - 1\nf big.bin 3000001\ns s.bin 100000\nd - 200000")
    }

    @Test("a file that has grown is sent up to the announced length")
    func grown() async throws {
        let file = try ScratchFile("g", [UInt8](repeating: 3, count: 100_000))
        let text = try await upload({ try $0.file("f", at: file.path) }, meanwhile: { try file.resize(to: 900_000) })
        #expect(text == "known\nf g 100000")
    }

    enum FileChange: CaseIterable, Sendable {
        case shrinks, vanishes, isReplaced
    }

    @Test("a file that shrank, vanished or was replaced fails the upload", arguments: FileChange.allCases)
    func badFile(change: FileChange) async throws {
        let file = try ScratchFile("g", [UInt8](repeating: 3, count: 1_000_000))
        let error = await #expect(throws: SockeyeError.self) {
            _ = try await upload {
                try $0.file("f", at: file.path)
            } meanwhile: {
                switch change {
                case .shrinks: try file.resize(to: 900_000)
                case .vanishes: try file.remove()
                case .isReplaced:
                    try file.remove()
                    try FileManager.default.createDirectory(at: file.url, withIntermediateDirectories: false)
                }
            }
        }
        #expect(error?.code == (change == .shrinks ? .bodyLengthMismatch : .bodyFailed))
        #expect(error?.blame == .caller)
    }

    @Test(
        "a stream longer or shorter than declared fails the upload, even if the form is chunked",
        arguments: [
            (2, true), (4, true), (2, false), (4, false),
        ])
    func badStream(declared: Int, isKnown: Bool) async throws {
        let error = await #expect(throws: SockeyeError.self) {
            _ = try await upload { form in
                form.stream("s", Elements([[1, 2], [3]] as [[UInt8]]), length: declared)
                form.stream("t", Elements([[1]] as [[UInt8]]), length: isKnown ? 1 : nil)
            }
        }
        #expect(error?.code == .bodyLengthMismatch)
        #expect(error?.message.contains("part 1") == true)
        #expect(error?.limit?.configured == "\(declared) bytes")
    }

    @Test("a stream that throws fails the upload with its error")
    func throwing() async throws {
        struct Trouble: Error {}
        let error = await #expect(throws: SockeyeError.self) {
            _ = try await upload { form in
                form.stream("s", AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: Trouble()) })
            }
        }
        #expect(error?.code == .bodyFailed)
        #expect(error?.underlying is Trouble)
    }

    @Test("cancelling the task ends the upload of a stream that yields nothing")
    func cancelled() async throws {
        let task = Task {
            try await upload { form in form.stream("s", AsyncStream<[UInt8]> { _ in }) }
        }
        let timer = Task {
            for _ in 0..<200 { await Task.yield() }
            task.cancel()
        }
        let error = await #expect(throws: SockeyeError.self) { _ = try await task.value }
        await timer.value
        #expect(error?.code == .cancelled)
    }
}
