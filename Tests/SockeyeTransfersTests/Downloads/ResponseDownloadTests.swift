import Dispatch
import Foundation
import Sockeye
import SockeyeCore
import SockeyeHTTP
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Testing

/// Responses that are written to files once their heads have arrived.
@Suite("Responses that become files", .timeLimit(.minutes(1))) struct ResponseDownloadTests {
    private static let content = Bytes("0123456789")
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func client(_ status: Int = 200, _ headers: Headers = [:]) -> HTTPClient {
        HTTPClient(transport: MockTransport { _ in .bytes(Self.content, status: status, headers: headers) })
    }

    @Test("a response becomes a file, with progress")
    func plain() async throws {
        let response = try await client(200, ["Content-Disposition": "attachment; filename=a.bin"]).get(
            "https://x.test/")
        let progress = Recorder<TransferProgress>()
        let file = try await response.download(to: .folder(folder.path)) { progress.append($0) }
        #expect(file.path == folder("a.bin") && file.count == 10 && file.interruptions == 0)
        #expect(file.response?.status == .ok)
        #expect(folder.names == ["a.bin"] && folder.text("a.bin") == "0123456789")
        #expect(progress.values.last == TransferProgress(completed: 10, total: 10))
    }

    @Test(
        "a response with status 404 or 206 does not become a file",
        arguments: [(404, SockeyeError.Code.unacceptableStatus), (206, .malformedResponse)])
    func refused(status: Int, code: SockeyeError.Code) async throws {
        let response = try await client(status).get("https://x.test/")
        let error = await #expect(throws: SockeyeError.self) { try await response.download(to: .file(folder("x"))) }
        #expect(error?.code == code && error?.response?.status.code == status && error?.resumeData == nil)
        #expect(error?.method == "GET" && folder.names == [])
    }

    @Test("a response with a wrong checksum, a taken destination or a consumed body leaves no file", arguments: 0..<3)
    func failing(number: Int) async throws {
        try folder.write("old", to: "there")
        let response = try await client().get("https://x.test/")
        let wrong = try Checksum.sha256(String(repeating: "0", count: 64))
        if number == 2 { _ = try await response.bytes() }
        let path = folder(number == 1 ? "there" : "x")
        let error = await #expect(throws: SockeyeError.self) {
            try await response.download(to: .file(path, existing: .fail), checksums: number == 0 ? [wrong] : [])
        }
        #expect(error?.code == [.checksumMismatch, .fileExists, .bodyConsumed][number])
        #expect(folder.names == ["there"] && folder.text("there") == "old")
    }

    @Test("checksums are parsed from hexadecimal digits, as sha256sum prints them")
    func checksums() throws {
        let digits = String(repeating: "0aF", count: 43)
        #expect(try Checksum.sha256(String(digits.prefix(64))) == Checksum(.sha256, hex: String(digits.prefix(64))))
        #expect(try Checksum.sha512(String(digits.prefix(128))).algorithm == .sha512)
        for text in ["", "0a", String(repeating: "g", count: 64)] {
            let error = #expect(throws: SockeyeError.self) { try Checksum.sha256(text) }
            #expect(error?.code == .badConfiguration && error?.blame == .caller)
            #expect(error?.message == "a sha-256 checksum is 64 hexadecimal digits, not '\(text.prefix(20))'")
        }
    }

    @Test("a cancelled download ends although its progress closure has not returned")
    func busyClosure() async throws {
        let response = try await client().get("https://x.test/")
        let (begun, busy, events) = (TestSignal(), DispatchSemaphore(value: 0), Recorder<String>())
        let path = folder("x")
        let download = Task {
            await #expect(throws: SockeyeError.self) {
                try await response.download(to: .file(path)) { _ in
                    begun.fire()
                    // The time-out is reached only if the test fails.
                    events.append(busy.wait(timeout: .now() + 20) == .success ? "closure" : "late closure")
                }
            }
        }
        try await begun.wait(timeout: .seconds(20))
        download.cancel()
        let error = await download.value
        events.append("download")
        busy.signal()
        await eventually("the closure returns") { events.values.count == 2 }
        #expect(error?.code == .cancelled && events.values == ["download", "closure"])
    }

    @Test("progress closures that have not returned do not delay other downloads to the same file system")
    func busyClosures() async throws {
        let (begun, busy, events) = (Recorder<Int>(), DispatchSemaphore(value: 0), Recorder<String>())
        try await withThrowingTaskGroup(of: Void.self) { group in
            // The library has eight threads for each file system.
            for number in 0..<8 {
                let (response, path) = (try await client().get("https://x.test/"), folder("\(number)"))
                group.addTask {
                    _ = try await response.download(to: .file(path)) { _ in
                        begun.append(number)
                        // The time-out is reached only if the test fails.
                        events.append(busy.wait(timeout: .now() + 20) == .success ? "closure" : "late closure")
                        busy.signal()
                    }
                }
            }
            await eventually("eight closures run") { begun.values.count == 8 }
            _ = try await client().get("https://x.test/").download(to: .file(folder("x")))
            events.append("download")
            busy.signal()
            try await group.waitForAll()
        }
        #expect(events.values.first == "download" && !events.values.contains("late closure"))
    }

    @Test("a serializer writes the response to a POST request to a file")
    func serializer() async throws {
        let file = try await client().post("https://x.test/", .json(["a": 1]), as: .file(to: .file(folder("x"))))
        #expect(file.path == folder("x") && folder.text("x") == "0123456789")
    }

    @Test("a closure decides by the head of a response: a value, a file or cancellation", arguments: 0..<3)
    func deciding(number: Int) async throws {
        let path = folder("x")
        try await withTestServer { _ in
            .bytes(Bytes([UInt8](repeating: 65, count: 1 << 20)))
        } run: { server in
            let client = HTTPClient()
            let task = try client.dataTask(
                .get, server.url(),
                as: IncomingResponse.DecidingSerializer(.text) { response in
                    #expect(response.body.expectedLength == 1 << 20)
                    return [.allow, .cancel, .download(to: .file(path))][number]
                })
            let result: IncomingResponse.ReceivedContent<String>?
            do { result = try await task.value } catch { result = nil }
            switch (number, result) {
            case (0, .value(let text)): #expect(text.utf8.count == 1 << 20)
            case (1, nil): #expect(task.error?.code == .cancelled)
            case (2, .file(let file)): #expect(file.count == 1 << 20 && file.path == path)
            default: Issue.record("another result than the decided one: \(String(describing: result))")
            }
            // The progress includes bytes of the content that came with the head.
            #expect((task.progress.current.completed == 1 << 20) == (number != 1))
            #expect(folder.names == (number == 2 ? ["x"] : []))
            // The connection becomes free although the test still holds the task.
            await eventually("the connection is free") { client.pool?.statistics.leased == 0 }
            #expect(task.response?.status == .ok)
        }
    }

    @Test("an error thrown by the deciding closure fails the call")
    func undecided() async throws {
        struct Unwilling: Error {}
        let error = await #expect(throws: SockeyeError.self) {
            try await client().get(
                "https://x.test/", as: IncomingResponse.DecidingSerializer(.text) { _ in throw Unwilling() })
        }
        #expect(error?.code == .decodingFailed && error?.underlying is Unwilling)
    }

    @Test("a task that writes its response to a file can be paused and resumed")
    func pausing() async throws {
        let release = TestSignal()
        let server = try await TestServer.start { _, responder in
            try await responder.sendHead(headers: [:], length: 10)
            try await release.wait(timeout: .seconds(20))
            try await responder.write("0123456789")
            try await responder.finish()
        }
        let decided = TestSignal()
        let path = folder("x")
        let task = try HTTPClient().dataTask(
            .get, server.url(),
            as: IncomingResponse.DecidingSerializer(.bytes) { _ in
                decided.fire()
                return .download(to: .file(path))
            })
        try await decided.wait(timeout: .seconds(20))
        await task.pause()
        release.fire()
        #expect(await task.state == .paused)
        await task.resume()
        guard case .file(let file) = try await task.value else { return }
        #expect(file.count == 10 && folder.text("x") == "0123456789")
        await server.stop()
    }
}
