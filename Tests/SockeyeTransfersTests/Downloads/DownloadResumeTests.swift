import Dispatch
import Foundation
import Glibc
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeTransfers

/// Effects of resuming a download on its destination, its part file and its settings, without sockets.
@Suite("Resumed downloads", .timeLimit(.minutes(1))) struct DownloadResumeTests {
    private static let body = Bytes("0123456789")

    /// Answers with the whole or the requested rest of ten bytes, with a strong validator.
    private let mock = MockTransport { request in
        guard let range = request.headers[.range], let from = Int(range.dropFirst("bytes=".count).dropLast()) else {
            return .bytes(body, headers: [.eTag: "\"v1\"", "Content-Disposition": "attachment; filename=first.txt"])
        }
        return .bytes(
            body.slice(from..<10), status: 206, headers: [.eTag: "\"v1\"", .contentRange: "bytes \(from)-9/10"])
    }

    private func run(
        _ destination: DownloadDestination, _ change: (inout DownloadSettings) -> Void = { _ in }
    ) async throws -> DownloadedFile {
        var settings = DownloadSettings(destination: destination)
        change(&settings)
        let request = try OutgoingRequest(url: "https://example.com/f")
        return try await ResumableDownload(HTTPClient(transport: mock), request, settings).run()
    }

    /// Runs a download whose disk fails after four bytes, with ENOSPC unless told otherwise.
    private func cut(_ destination: DownloadDestination, code: Int32 = ENOSPC) async throws -> SockeyeError {
        let error = await #expect(throws: SockeyeError.self) {
            try await run(destination) { settings in
                unsafe settings.fileCalls.write = { descriptor, bytes, position in
                    let first = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(4))
                    return unsafe position < 4 ? FileCalls.system.write(descriptor, first, position) : -Int(code)
                }
            }
        }
        return try #require(error)
    }

    @Test(
        "errors of the disk have their own codes and blame",
        arguments: [ENOSPC, EDQUOT, EFBIG, EIO, EROFS, EACCES])
    func blame(code: Int32) async throws {
        let folder = try TemporaryFolder()
        let error = try await cut(.file(folder("x")), code: code)
        #expect(error.code == ([ENOSPC, EDQUOT, EFBIG].contains(code) ? .diskFull : .fileFailed))
        #expect(error.blame == (code == EACCES ? .caller : .disk))
        #expect((error.underlying as? FileError)?.code == code && !error.isTransient)
    }

    @Test("resume data does not pair a new version with bytes of the old one if the file cannot be prepared")
    func newVersion() async throws {
        struct Unwilling: Error {}
        let folder = try TemporaryFolder()
        let data = try #require(try await cut(.file(folder("x"))).resumeData)
        let changed = MockTransport { _ in .bytes(Bytes("abcdefghij"), headers: [.eTag: "\"v2\""]) }
        var settings = DownloadSettings(destination: .decided { _ in throw Unwilling() })
        settings.resumeData = data
        let download = ResumableDownload(
            HTTPClient(transport: changed), try OutgoingRequest(url: "https://example.com/f"), settings)
        let error = await #expect(throws: SockeyeError.self) { try await download.run() }
        #expect(error?.underlying is Unwilling && error?.resumeData == nil)
        #expect(folder.names == [])
    }

    @Test("a resumed download waits for a cancelled one that still has the part open")
    func abandoned() async throws {
        let folder = try TemporaryFolder()
        let disk = DispatchGroup()
        disk.enter()
        let begun = TestSignal()
        let first = Task {
            await #expect(throws: SockeyeError.self) {
                try await run(.file(folder("x"))) { settings in
                    settings.fileCalls.device = .random(in: .min ... .max)
                    settings.fileCalls.synchronize = { _ in
                        begun.fire()
                        disk.wait()
                        return 0
                    }
                }
            }
        }
        try await begun.wait(timeout: .seconds(20))
        first.cancel()
        let data = try #require(await first.value?.resumeData)
        async let second = run(.file(folder("x"))) { $0.resumeData = data }
        // The only sign of waiting is that the second download has not failed.
        for _ in 0..<100 { await Task.yield() }
        #expect(folder.text("x") == nil)
        disk.leave()
        #expect(try await second.count == 10)
        #expect(folder.names == ["x"] && folder.text("x") == "0123456789")
    }

    @Test("bytes whose write has begun are not lost if the download is cancelled meanwhile")
    func cancelledDuringWrite() async throws {
        let folder = try TemporaryFolder()
        let disk = DispatchGroup()
        disk.enter()
        let begun = TestSignal()
        let completed = Recorder<Int>()
        let first = Task {
            await #expect(throws: SockeyeError.self) {
                try await run(.file(folder("x"))) { settings in
                    settings.fileCalls.device = .random(in: .min ... .max)
                    unsafe settings.fileCalls.write = { descriptor, bytes, position in
                        begun.fire()
                        disk.wait()
                        return unsafe FileCalls.system.write(descriptor, bytes, position)
                    }
                    settings.onEvent = { if case .progress(let count, _) = $0 { completed.append(count) } }
                }
            }
        }
        try await begun.wait(timeout: .seconds(20))
        first.cancel()
        let data = try #require(await first.value?.resumeData)
        #expect(data.bytesWritten == 0)
        async let second = run(.file(folder("x"))) { $0.resumeData = data }
        disk.leave()
        #expect(try await second.count == 10)
        #expect(mock.requests.count == 1, "the first download had received all bytes")
        #expect(folder.names == ["x"] && folder.text("x") == "0123456789")
        #expect(completed.values.allSatisfy { $0 == 10 })
    }

    @Test("a failed first request is repeated only if the same task has begun the download", arguments: [false, true])
    func firstRequest(hasBegun: Bool) async throws {
        let folder = try TemporaryFolder()
        let data = try #require(try await cut(.file(folder("x"))).resumeData)
        let asked = Recorder<String>()
        let busy = MockTransport { request in
            asked.append(request.headers[.range] ?? "all")
            guard asked.values.count > 1 else { return .text("later", status: 503) }
            return .bytes(
                Self.body.slice(4..<10), status: 206, headers: [.eTag: "\"v1\"", .contentRange: "bytes 4-9/10"])
        }
        var settings = DownloadSettings(destination: .file(folder("x")))
        settings.resumeData = data
        settings.backoff = .none
        settings.hasBegun = hasBegun
        let download = ResumableDownload(
            HTTPClient(transport: busy), try OutgoingRequest(url: "https://example.com/f"), settings)
        let file = try? await download.run()
        #expect(file?.count == (hasBegun ? 10 : nil))
        #expect(asked.values == [String](repeating: "bytes=4-", count: hasBegun ? 2 : 1))
    }

    @Test("a part that another download uses is refused, and the resume data stays valid")
    func inUse() async throws {
        let folder = try TemporaryFolder()
        let data = try #require(try await cut(.file(folder("x"))).resumeData)
        let other = try await DownloadFile.reopen(data.temporaryPath)
        other.keep()
        let error = await #expect(throws: SockeyeError.self) {
            try await run(.file(folder("x"))) { $0.resumeData = data }
        }
        #expect(error?.code == .fileFailed && error?.resumeData == data)
        #expect(error?.message.hasSuffix("another download is using it") == true)
        _ = consume other
    }

    @Test(
        "a resumed download treats an existing file as its new destination says",
        arguments: [ExistingFilePolicy.fail, .keepBoth])
    func policy(existing: ExistingFilePolicy) async throws {
        let folder = try TemporaryFolder()
        let data = try #require(try await cut(.file(folder("x.txt"), existing: existing)).resumeData)
        try folder.write("old", to: "x.txt")
        let archived = try JSONDecoder().decode(ResumeData.self, from: JSONEncoder().encode(data))
        let client = HTTPClient(transport: mock)
        let task = try client.download(resuming: archived, to: .file(folder("x.txt"), existing: existing))
        if existing == .keepBoth {
            #expect(try await task.value.path == folder("x-1.txt"))
        } else {
            let error = await #expect(throws: SockeyeError.self) { try await task.value }
            #expect(error?.code == .fileExists && folder.names.count == 2)
        }
        #expect(folder.text("x.txt") == "old")
    }

    @Test("a download resumed to another folder moves its part there and can be resumed again")
    func otherFolder() async throws {
        let folder = try TemporaryFolder()
        let data = try #require(try await cut(.file(folder("a/x"))).resumeData)
        let error = await #expect(throws: SockeyeError.self) {
            try await run(.file(folder("b/y"))) { settings in
                settings.resumeData = data
                settings.fileCalls.synchronize = { _ in EIO }
            }
        }
        let again = try #require(error?.resumeData)
        #expect(again.temporaryPath.hasPrefix(folder("b/.sockeye-")))
        let file = try await HTTPClient(transport: mock).download(resuming: again, to: .file(folder("b/y"))).value
        #expect(file.path == folder("b/y"))
        #expect(folder.names == ["a", "b"] && folder.text("b/y") == "0123456789")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("b")) == ["y"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("a")) == [])
    }

    @Test(
        "a second download to the same path is refused unless the policy keeps both",
        arguments: [ExistingFilePolicy.replace, .fail, .keepBoth])
    func twice(existing: ExistingFilePolicy) async throws {
        let folder = try TemporaryFolder()
        let begun = TestSignal()
        let disk = DispatchGroup()
        disk.enter()
        async let first = run(.file(folder("x"), existing: existing)) { settings in
            settings.fileCalls.device = .random(in: .min ... .max)
            settings.fileCalls.synchronize = { _ in
                begun.fire()
                disk.wait()
                return 0
            }
        }
        try await begun.wait(timeout: .seconds(20))
        // The second download names the same folder through a symbolic link.
        unsafe #expect(symlink(folder.path, folder("link")) == 0)
        let second = await Task { try await run(.file(folder("link/x"), existing: existing)) }.result
        disk.leave()
        #expect(try await first.count == 10)
        guard existing != .keepBoth else { return #expect(try second.get().count == 10) }
        let error = #expect(throws: SockeyeError.self) { try second.get() }
        #expect(error?.code == .fileFailed && error?.message.hasSuffix("another download is using it") == true)
        #expect(folder.names == ["link", "x"])
        // After the end of the first download the path is free again.
        if existing == .replace { #expect(try await run(.file(folder("x"))).count == 10) }
    }

    @Test("a destination can be locked again after its release, and a second release changes nothing")
    func released() throws {
        let folder = try TemporaryFolder()
        var first: DestinationLock? = try DestinationLock.take(folder("x"))
        #expect(throws: FileError.self) { try DestinationLock.take(folder("x")) }
        first?.release()
        let second = try DestinationLock.take(folder("x"))
        first?.release()
        first = nil
        #expect(throws: FileError.self) { try DestinationLock.take(folder("x")) }
        second.release()
        #expect(throws: Never.self) { try DestinationLock.take(folder("x")) }
    }

    @Test("a folder at the destination is found before a request is sent")
    func folderInPlace() async throws {
        let folder = try TemporaryFolder()
        unsafe #expect(mkdir(folder("x"), 0o700) == 0)
        let error = await #expect(throws: SockeyeError.self) { try await run(.file(folder("x"))) }
        #expect(error?.code == .fileFailed && (error?.underlying as? FileError)?.code == EISDIR)
        #expect(mock.requests.isEmpty && folder.names == ["x"])
    }

    @Test("a path beyond the system's limit is found before a request is sent, and creates no folder")
    func longPath() async throws {
        let folder = try TemporaryFolder()
        let path = folder(String(repeating: "d/", count: 2048) + "x")
        let error = await #expect(throws: SockeyeError.self) { try await run(.file(path)) }
        #expect(error?.code == .fileFailed && (error?.underlying as? FileError)?.code == ENAMETOOLONG)
        #expect(mock.requests.isEmpty && folder.names.isEmpty)
    }

    @Test("a symbolic link at the destination is replaced, and its target stays")
    func link() async throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "target")
        unsafe #expect(symlink(folder("target"), folder("x")) == 0)
        _ = try await run(.file(folder("x")))
        #expect(folder.text("target") == "old" && folder.text("x") == "0123456789")
    }

    @Test("an empty response becomes an empty file")
    func empty() async throws {
        let folder = try TemporaryFolder()
        let empty = MockTransport { _ in .bytes(Bytes(), headers: [.eTag: "\"v1\""]) }
        let settings = DownloadSettings(destination: .file(folder("x")))
        let result = try await ResumableDownload(
            HTTPClient(transport: empty), OutgoingRequest(url: "https://example.com/f"), settings
        ).run()
        #expect(result.count == 0 && folder.names == ["x"] && folder.text("x") == "")
    }
}
