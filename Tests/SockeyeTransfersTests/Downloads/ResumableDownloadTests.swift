import Foundation
import Sockeye
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Testing

/// Complete downloads without sockets.
@Suite struct ResumableDownloadTests {
    private let body = Bytes("0123456789")

    private func run(
        _ mock: MockTransport, to destination: DownloadDestination, url: String = "https://example.com/f",
        headers: Headers = [:], _ change: (inout DownloadSettings) -> Void = { _ in }
    ) async throws -> DownloadedFile {
        var settings = DownloadSettings(destination: destination)
        change(&settings)
        let request = try OutgoingRequest(url: url, headers: headers)
        return try await ResumableDownload(HTTPClient(transport: mock), request, settings).run()
    }

    private func error(_ body: () async throws -> DownloadedFile) async -> SockeyeError? {
        await #expect(throws: SockeyeError.self) { _ = try await body() }
    }

    @Test("a download requests the content uncoded, writes it and reports progress")
    func plain() async throws {
        let folder = try TemporaryFolder()
        let mock = MockTransport { _ in .bytes(body) }
        let events = Recorder<String>()
        let result = try await run(mock, to: .file(folder("x"))) { settings in
            settings.onEvent = { event in
                if case .progress(let completed, let total) = event { events.append("\(completed)/\(total ?? -1)") }
            }
        }
        #expect(result.path == folder("x") && result.count == 10 && result.interruptions == 0)
        #expect(folder.text("x") == "0123456789" && folder.names == ["x"])
        #expect(events.values == ["10/10"])
        #expect(mock.requests.map { $0.headers[.acceptEncoding] } == ["identity"])
    }

    @Test("empty content becomes an empty file")
    func empty() async throws {
        let folder = try TemporaryFolder()
        let result = try await run(MockTransport { _ in .ok() }, to: .file(folder("x")))
        #expect(result.count == 0 && folder.text("x") == "")
    }

    @Test("a folder destination uses the suggested name, and a closure decides on the path")
    func destinations() async throws {
        let folder = try TemporaryFolder()
        let mock = MockTransport { _ in
            .bytes(body, headers: [.contentDisposition: "attachment; filename=\"../../a b.bin\""])
        }
        let first = try await run(mock, to: .folder(folder.path))
        let current = try await DownloadDestination.folder("").path(
            nil, to: RequestIdentity(method: "GET", url: HTTPURL("https://example.com/f")))
        #expect(current == "f")
        let second = try await run(mock, to: .folder(folder.path + "/"))
        #expect(first.path == folder("a b.bin") && second.path == folder("a b-1.bin"))
        let third = try await run(mock, to: .decided { folder("\($0.status.code)-\($0.suggestedFileName)") })
        #expect(third.path == folder("200-a b.bin"))
        struct Unwilling: Error {}
        let error = await error { try await run(mock, to: .decided { _ in throw Unwilling() }) }
        #expect(error?.code == .fileFailed && error?.underlying is Unwilling)
    }

    @Test("an impossible destination is an error and leaves nothing behind", arguments: 0..<7)
    func badDestination(number: Int) async throws {
        let folder = try TemporaryFolder()
        unsafe mkdir(folder("folder"), 0o700)
        try folder.write("old", to: "there")
        let (path, existing, code): (String, ExistingFilePolicy, SockeyeError.Code) =
            switch number {
            case 0: ("", .replace, .fileFailed)
            case 1: (folder("a\0b"), .replace, .fileFailed)
            case 2: (folder("folder"), .replace, .fileFailed)
            case 3: (folder("there"), .fail, .fileExists)
            case 4: ("/dev/null", .replace, .fileFailed)
            case 5: (folder(String(repeating: "x", count: 256)), .replace, .fileFailed)
            default: (folder("folder/"), .replace, .fileFailed)
            }
        let error = await error {
            try await run(MockTransport { _ in .bytes(body) }, to: .file(path, existing: existing))
        }
        #expect(error?.code == code && error?.resumeData == nil && error?.method == "GET")
        #expect(folder.names == ["folder", "there"] && folder.text("there") == "old")
    }

    @Test("a response without content is an error and leaves nothing behind", arguments: [404, 500, 304, 206])
    func refused(status: Int) async throws {
        let folder = try TemporaryFolder()
        let error = await error {
            try await run(MockTransport { _ in .text("no", status: status) }, to: .file(folder("x")))
        }
        #expect(error?.code == (status == 206 ? .malformedResponse : .unacceptableStatus))
        #expect(error?.response?.status.code == status)
        #expect(folder.names == [])
    }

    @Test("the caller's checksum is verified, and otherwise the server's")
    func checksums() async throws {
        let folder = try TemporaryFolder()
        let right = "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882"
        let base64 = Data(try #require(Checksum(.sha256, hex: right)).bytes).base64EncodedString()
        let wrong = try #require(Checksum(.sha256, hex: String(repeating: "0", count: 64)))
        let honest = MockTransport { _ in .bytes(body, headers: ["Repr-Digest": "sha-256=:\(base64):"]) }
        let lying = MockTransport { _ in .bytes(Bytes("012345678X"), headers: ["Digest": "SHA-256=\(base64)"]) }
        let path = DownloadDestination.file(folder("x"))
        #expect(try await run(honest, to: path).count == 10)
        let caught = await error { try await run(lying, to: path) }
        #expect(caught?.code == .checksumMismatch && caught?.message.contains(right) == true)
        #expect(try await run(lying, to: path) { $0.options.verifiesAnnouncedChecksums = false }.count == 10)
        #expect(
            await error { try await run(honest, to: path) { $0.options.checksums = [wrong] } }?.code
                == .checksumMismatch)
        #expect(folder.names == ["x"] && folder.text("x") == "012345678X")
    }

    @Test("a full disk ends a download, which resumes at the same place when there is room")
    func fullDisk() async throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "x")
        let mock = MockTransport { request in
            guard request.headers[.range] == "bytes=4-", request.headers[.ifRange] == "\"v1\"" else {
                return .bytes(body, headers: [.eTag: "\"v1\""])
            }
            return .bytes(
                body.slice(4..<10), status: 206, headers: [.eTag: "\"v1\"", .contentRange: "bytes 4-9/10"])
        }
        let failed = await error {
            try await run(mock, to: .file(folder("x"))) { settings in
                unsafe settings.fileCalls.write = { descriptor, bytes, position in
                    let first = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(4))
                    return unsafe position < 4 ? FileCalls.system.write(descriptor, first, position) : -Int(ENOSPC)
                }
            }
        }
        #expect(failed?.code == .diskFull && folder.text("x") == "old" && folder.names.count == 2)
        let data = try #require(failed?.resumeData)
        #expect(data.bytesWritten == 4 && data.totalBytes == 10)
        let events = Recorder<Int>()
        let result = try await run(mock, to: .file(folder("x"))) { settings in
            settings.resumeData = data
            settings.onEvent = { if case .resumed(let at, _) = $0 { events.append(at) } }
        }
        #expect(result.count == 10 && events.values == [4] && mock.requests.count == 2)
        #expect(folder.names == ["x"] && folder.text("x") == "0123456789")
    }

    @Test("a download starts over if the file of its resume data was removed or the content has changed")
    func stale() async throws {
        let folder = try TemporaryFolder()
        let mock = MockTransport { request in
            request.headers[.range] == nil
                ? .bytes(body, headers: [.eTag: "\"v1\""]) : .bytes(Bytes("changed"), headers: [.eTag: "\"v2\""])
        }
        var data: [ResumeData] = []
        for _ in 0..<2 {
            let failed = await error {
                try await run(mock, to: .file(folder("x"))) { settings in
                    settings.fileCalls.synchronize = { _ in EIO }
                    unsafe settings.fileCalls.write = { descriptor, bytes, position in
                        unsafe position == 0
                            ? FileCalls.system.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(4)), 0)
                            : -Int(EIO)
                    }
                }
            }
            data.append(try #require(failed?.resumeData))
        }
        await data[0].discard()
        #expect(try await run(mock, to: .file(folder("x"))) { $0.resumeData = data[0] }.count == 10)
        #expect(try await run(mock, to: .file(folder("x"))) { $0.resumeData = data[1] }.count == 7)
        #expect(folder.names == ["x"] && folder.text("x") == "changed")
    }

    @Test("if only the move to the destination is missing, a resumed download sends no request")
    func lastStep() async throws {
        let folder = try TemporaryFolder()
        let mock = MockTransport { _ in .bytes(body, headers: [.eTag: "\"v1\""]) }
        let failed = await error {
            try await run(mock, to: .decided { _ in folder("x") }) { $0.fileCalls.synchronize = { _ in EIO } }
        }
        let data = try #require(failed?.resumeData)
        #expect(data.bytesWritten == 10)
        // There is no response for the closure to decide on.
        let undecided = await error { try await run(mock, to: .decided { _ in folder("y") }) { $0.resumeData = data } }
        #expect(undecided?.code == .fileFailed && undecided?.resumeData?.bytesWritten == 10)
        let result = try await run(mock, to: .file(folder("y"))) { $0.resumeData = undecided?.resumeData }
        #expect(result.response == nil && result.path == folder("y") && mock.requests.count == 1)
    }

    @Test("a Range field set by the caller is sent unchanged, and the partial response becomes the file")
    func ownRange() async throws {
        let folder = try TemporaryFolder()
        let mock = MockTransport { _ in
            .bytes(body.slice(2..<5), status: 206, headers: [.contentRange: "bytes 2-4/10", .eTag: "\"v1\""])
        }
        let result = try await run(mock, to: .file(folder("x")), headers: [.range: "bytes=2-4"])
        #expect(result.count == 3 && mock.requests[0].headers[.range] == "bytes=2-4")
    }

    @Test("a part that the caller requested is not compared with the announced checksum of the whole")
    func ownRangeWithDigest() async throws {
        let folder = try TemporaryFolder()
        let whole = "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882"
        let base64 = Data(try #require(Checksum(.sha256, hex: whole)).bytes).base64EncodedString()
        let mock = MockTransport { _ in
            .bytes(
                body.slice(2..<5), status: 206,
                headers: [.contentRange: "bytes 2-4/10", "Repr-Digest": "sha-256=:\(base64):"])
        }
        let range: Headers = [.range: "bytes=2-4"]
        #expect(try await run(mock, to: .file(folder("x")), headers: range).count == 3 && folder.text("x") == "234")
        // A checksum of the caller applies to the part.
        let checksum = try #require(Checksum(.sha256, hex: whole))
        let error = await error {
            try await run(mock, to: .file(folder("x")), headers: range) { $0.options.checksums = [checksum] }
        }
        #expect(error?.code == .checksumMismatch)
    }
}
