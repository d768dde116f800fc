import Foundation
import SockeyeCore
import SockeyeHTTP
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeTransfers

/// Downloads whose state is in a file, so that another process can continue them, however the first process ended.
@Suite("Resume files of downloads", .timeLimit(.minutes(1))) struct ResumeFileTests {
    private static let content = TestPattern.bytes(at: 0, upTo: 100_000)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A server that sends less than half of the file to the first request and completes the others.
    private func withServer(_ run: (TestServer, Recorder<String>) async throws -> Void) async throws {
        let asked = Recorder<String>()
        try await withTestServer { (request: TestRequest, responder: TestResponder) in
            asked.append(request[.range] ?? "all")
            guard request[.range] == nil, asked.values.count == 1 else {
                return try await responder.send(.resource(Self.content, for: request, eTag: "\"v1\""))
            }
            try await responder.sendHead(
                headers: [.eTag: "\"v1\"", .acceptRanges: "bytes"], length: Self.content.count)
            try await responder.write(Self.content.slice(0..<40_000))
            try await responder.waitForDisconnect()
            responder.close()
        } run: { server in
            try await run(server, asked)
        }
    }

    /// Begins a download and waits until the temporary file has everything the server sends.
    private func begin(_ url: String, in folder: TemporaryFolder) async throws -> DownloadTask {
        let task = try HTTPClient().download(
            url, to: .file(folder("f")), options: .resumable(in: folder("f.resume")))
        for await progress in task.progress where progress.completed == 40_000 { break }
        return task
    }

    private func complete(_ url: String, in folder: TemporaryFolder) async throws {
        let file = try await HTTPClient()
            .download(url, to: .file(folder("f")), options: .resumable(in: folder("f.resume"))).value
        #expect(file.count == Self.content.count)
        #expect(FileManager.default.contents(atPath: folder("f")) == Data(Self.content))
        #expect(folder.names == ["f"])
    }

    @Test("a download continues from the resume file of a killed process")
    func killed() async throws {
        try await withServer { server, asked in
            let task = try await begin(server.url("/f"), in: folder)
            // A copy of the folder as a killed process leaves it.
            let left = try TemporaryFolder()
            for name in folder.names {
                try FileManager.default.copyItem(atPath: folder(name), toPath: left(name))
            }
            let state = try #require(folder.text("f.resume")?.replacing("\\/", with: "/"))
            try left.write(state.replacing(folder.path, with: left.path), to: "f.resume")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: left("f.resume"))
            try await complete(server.url("/f"), in: left)
            #expect(asked.values == ["all", "bytes=40000-"])
            await task.cancel()
            _ = try? await task.value
        }
    }

    @Test("a download continues after cancellation, even with another secret in the URL")
    func cancelled() async throws {
        try await withServer { server, asked in
            let task = try await begin(server.url("/f?version=1&token=a"), in: folder)
            let attributes = try FileManager.default.attributesOfItem(atPath: folder("f.resume"))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            await task.cancel()
            _ = try? await task.value
            #expect(folder.names.count == 2)
            try await complete(server.url("/f?version=1&token=b"), in: folder)
            #expect(asked.values == ["all", "bytes=40000-"])
        }
    }

    @Test(
        "a resume file applies to a URL with another token or signature, but with no other item that may name the file",
        arguments: [
            ("key=a&token=2&sig=3", true), ("key=b&token=1&sig=1", false), ("key=a&code=1&token=1&sig=1", false),
            ("token=1&sig=1", false),
        ])
    func sameURL(query: String, isSame: Bool) throws {
        let text = """
            {"version":1,"url":"https://h.test/f?key=a&token=1&sig=1","validator":"\\"v1\\"","bytesWritten":1,\
            "totalBytes":10,"temporaryPath":"/tmp/.sockeye-x.part"}
            """
        let data = try JSONDecoder().decode(ResumeData.self, from: Data(text.utf8))
        #expect(try data.isOfURL(HTTPURL("https://h.test/f?\(query)")) == isSame)
    }

    @Test("a resume file for another URL is replaced")
    func other() async throws {
        try await withServer { server, asked in
            let task = try await begin(server.url("/f?version=1"), in: folder)
            let part = try #require(task.resumeData)
            await task.cancel()
            _ = try? await task.value
            await part.discard()
            try await complete(server.url("/f?version=2"), in: folder)
            #expect(asked.values == ["all", "all"])
        }
    }

    @Test("a download that fails because another one has its destination leaves the resume file of the other one")
    func otherRunning() async throws {
        try await withServer { server, asked in
            let task = try await begin(server.url("/f?version=1"), in: folder)
            let state = try #require(folder.text("f.resume"))
            let error = await #expect(throws: SockeyeError.self) {
                try await complete(server.url("/f?version=2"), in: folder)
            }
            #expect(error?.message.hasSuffix("another download is using it") == true)
            #expect(folder.text("f.resume") == state)
            await task.cancel()
            _ = try? await task.value
            try await complete(server.url("/f?version=1"), in: folder)
            #expect(asked.values == ["all", "all", "bytes=40000-"])
        }
    }

    @Test("a download that fails before its first response leaves the state of another URL's download")
    func otherWaiting() async throws {
        try await withServer { server, asked in
            let task = try await begin(server.url("/f?version=1"), in: folder)
            await task.cancel()
            _ = try? await task.value
            let error = await #expect(throws: SockeyeError.self) {
                let client = HTTPClient(transport: MockTransport { _ in .failure(.refused) })
                _ = try await client.download(
                    server.url("/f?version=2"), to: .file(folder("f")), options: .resumable(in: folder("f.resume"))
                ).value
            }
            #expect(error?.code == .connectFailed)
            try await complete(server.url("/f?version=1"), in: folder)
            #expect(asked.values == ["all", "bytes=40000-"])
        }
    }

    @Test("a failed download that leaves no part also removes its resume file")
    func failed() async throws {
        try await withTestServer { _ in
            .bytes(Self.content, headers: [.eTag: "\"v1\""])
        } run: { server in
            var options = OutgoingRequest.Options.resumable(in: folder("f.resume"))
            options.checksums = [try .sha256(String(repeating: "0", count: 64))]
            let error = await #expect(throws: SockeyeError.self) {
                _ = try await HTTPClient().download(server.url(), to: .file(folder("f")), options: options).value
            }
            #expect(error?.code == .checksumMismatch && folder.names == [])
        }
    }

    @Test(
        "a path that holds another file or cannot hold a resume file is refused and unchanged",
        arguments: ["foreign", "destination", "folder"])
    func refused(kind: String) async throws {
        try await withTestServer { _ in
            .bytes(Self.content, headers: [.eTag: "\"v1\""])
        } run: { server in
            try folder.write("mine", to: "notes")
            let elsewhere = try TemporaryFolder()
            let path = ["foreign": folder("notes"), "destination": folder("f"), "folder": elsewhere("r")][kind]
            let error = await #expect(throws: SockeyeError.self) {
                _ = try await HTTPClient().download(
                    server.url(), to: .file(folder("f")), options: .resumable(in: path ?? "")
                ).value
            }
            #expect(error?.code == .badConfiguration)
            #expect(folder.names == ["notes"] && folder.text("notes") == "mine" && elsewhere.names == [])
        }
    }

    @Test(
        "a destination that is the resume file is refused, however its path is written and whenever it is decided",
        arguments: ["path", "folder", "closure"])
    func ownDestination(kind: String) async throws {
        let mock = MockTransport { _ in
            .bytes(
                Self.content, headers: [.eTag: "\"v1\"", .contentDisposition: "attachment; filename=\"f\""])
        }
        let path = folder("f")
        let destination: DownloadDestination =
            switch kind {
            case "path": .file(folder("./f"))
            case "folder": .folder(folder.path)
            default: .decided { _ in path }
            }
        let error = await #expect(throws: SockeyeError.self) {
            _ = try await HTTPClient(transport: mock).download(
                "http://a.test/", to: destination, options: .resumable(in: path)
            ).value
        }
        #expect(error?.code == .badConfiguration && folder.names == [])
        #expect(mock.requests.count == (kind == "path" ? 0 : 1))
    }

    /// Enough bytes for four parts.
    private static let fourParts: Bytes = {
        var bytes: [UInt8] = []
        while bytes.count < 4 << 20 { bytes += TestPattern.bytes(at: bytes.count, upTo: (4 << 20) - bytes.count) }
        return Bytes(bytes)
    }()

    @Test("a download in parts with a resume file completes and removes the resume file")
    func parts() async throws {
        let content = Self.fourParts
        try await withTestServer { (request: TestRequest) in
            .resource(content, for: request, eTag: "\"v1\"")
        } run: { server in
            var options = OutgoingRequest.Options.resumable(in: folder("f.resume"))
            options.parallelParts = 4
            let file = try await HTTPClient().download(server.url(), to: .file(folder("f")), options: options).value
            #expect(file.count == content.count && folder.names == ["f"])
        }
    }

    @Test("a cancelled download in parts saves the number of bytes before the first gap in the resume file")
    func cancelledParts() async throws {
        let content = Self.fourParts
        let asked = Recorder<String>()
        try await withTestServer { (request: TestRequest, responder: TestResponder) in
            asked.append(request[.range] ?? "all")
            guard asked.values.count <= 4 else {
                return try await responder.send(.resource(content, for: request, eTag: "\"v1\""))
            }
            let ends = request[.range]?.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) } ?? []
            let (first, last) = (ends.first ?? 0, ends.last ?? content.count - 1)
            var headers: Headers = [.eTag: "\"v1\"", .acceptRanges: "bytes"]
            if !ends.isEmpty { headers[.contentRange] = "bytes \(first)-\(last)/\(content.count)" }
            let status: HTTPResponse.Status = ends.isEmpty ? .ok : .partialContent
            try await responder.sendHead(status, headers: headers, length: last - first + 1)
            try await responder.write(content.slice(first..<first + 500_000))
            try await responder.waitForDisconnect()
            responder.close()
        } run: { server in
            var options = OutgoingRequest.Options.resumable(in: folder("f.resume"))
            options.parallelParts = 4
            let task = try HTTPClient().download(server.url(), to: .file(folder("f")), options: options)
            for await progress in task.progress where progress.completed >= 2_000_000 { break }
            await task.cancel()
            _ = try? await task.value
            let data = try #require(try await ResumeData.read(from: folder("f.resume")))
            #expect(data.bytesWritten == 500_000 && data == task.error?.resumeData)
            let file = try await HTTPClient().download(server.url(), to: .file(folder("f")), options: options).value
            #expect(file.count == content.count && asked.values.last == "bytes=500000-")
            #expect(FileManager.default.contents(atPath: folder("f")) == Data(content) && folder.names == ["f"])
        }
    }

    @Test("a download cancelled before its first byte removes its resume file")
    func cancelledEarly() async throws {
        try await withTestServer { (_: TestRequest, responder: TestResponder) in
            try await responder.sendHead(
                headers: [.eTag: "\"v1\"", .acceptRanges: "bytes"], length: Self.content.count)
            try await responder.waitForDisconnect()
            responder.close()
        } run: { server in
            let task = try HTTPClient().download(
                server.url(), to: .file(folder("f")), options: .resumable(in: folder("f.resume")))
            await eventually("the resume file exists", within: .seconds(20)) { folder.names.contains("f.resume") }
            await task.cancel()
            _ = try? await task.value
            #expect(folder.names == [])
        }
    }
}
