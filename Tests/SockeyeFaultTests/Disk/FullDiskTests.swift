import Foundation
import Glibc
import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Testing

/// A disk that becomes full during a write. Existing files are kept, and the error has the path and the reason.
@Suite("A full disk", .enabled(if: SmallDisk.isPossible, "\(SmallDisk.missing)"), .timeLimit(.minutes(1)))
struct FullDiskTests {
    private static let old = Data(repeating: 7, count: 900 << 10)

    private let disk: SmallDisk

    init() throws {
        disk = try SmallDisk(size: 1 << 20)
        try Self.old.write(to: URL(filePath: disk.folder + "/old"))
    }

    private var path: String { disk.folder + "/old" }

    private func expectOld(_ names: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try Data(contentsOf: URL(filePath: path)) == Self.old, sourceLocation: sourceLocation)
        #expect(disk.names == names, sourceLocation: sourceLocation)
    }

    @Test("a full disk ends a download, which is resumed when there is room again")
    func download() async throws {
        let resource = FaultyResource()
        let url = try await resource.start([.honest])
        let client = HTTPClient()
        let first = try client.download(url, to: .file(path))
        let error = await failure { _ = try await first.value }
        #expect(error?.code == .diskFull && error?.blame == .disk && error?.url == url)
        let cause = try #require(error?.underlying as? FileError)
        #expect(cause.code == ENOSPC && cause.operation == "write" && cause.path.hasPrefix(disk.folder + "/.sockeye-"))
        #expect(error?.message.contains("\(cause.path): No space left on device") == true)
        let data = try #require(error?.resumeData)
        #expect(data.bytesWritten > 0 && data.bytesWritten < resource.body.count)
        try expectOld([FilePart.name(of: cause.path), "old"])
        await client.expectAtRest()

        unsafe #expect(unlink(path) == 0)
        let file = try await client.download(resuming: data, to: .file(path)).value
        #expect(file.count == resource.body.count && disk.names == ["old"])
        #expect(try Bytes(Data(contentsOf: URL(filePath: path))) == resource.body)
        #expect(resource.requests.map(\.range) == [nil, "bytes=\(data.bytesWritten)-"])
        await resource.stop()
    }

    @Test("a full disk leaves no file of a download that cannot be resumed")
    func unresumable() async throws {
        let resource = FaultyResource()
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(resource.body.count)\r\n\r\n"
        let url = try await resource.start([.raw(head, resource.body)])
        let error = await failure { _ = try await HTTPClient().download(url, to: .file(path)).value }
        #expect(error?.code == .diskFull && error?.resumeData == nil)
        try expectOld(["old"])
        await resource.stop()
    }

    @Test("a full disk leaves the old file unchanged when a form is written")
    func form() async throws {
        var form = MultipartForm()
        form.data("large", Large.body(300_000), filename: "large.bin")
        let body = try form.body()
        for name in ["old", "new"] {
            let path = disk.folder + "/" + name
            let error = await failure { _ = try await body.write(toFile: path) }
            #expect(error?.code == .bodyFailed && error?.phase == .send)
            #expect((error?.underlying as? FileError)?.code == ENOSPC)
            #expect(error?.message == "cannot write \(path): No space left on device")
            try expectOld(["old"])
        }
        unsafe #expect(unlink(path) == 0)
        #expect(try await body.write(toFile: path) == body.length)
        #expect(disk.names == ["old"])
    }

    @Test("a full disk fails the writing of a body whose closure ignores the error of a write")
    func ignored() async throws {
        let path = path
        let body = OutgoingRequest.Body.writer { body in
            try? await body.write(Large.body(300_000))
            // There is room again, but the file would have a hole.
            try FileManager.default.removeItem(atPath: path)
            try? await body.write("end")
        }
        let new = disk.folder + "/new"
        let error = await failure { _ = try await body.write(toFile: new) }
        #expect(error?.code == .bodyFailed && (error?.underlying as? FileError)?.code == ENOSPC)
        #expect(disk.names.isEmpty)
    }
}

/// The last component of a path.
private enum FilePart {
    static func name(of path: String) -> String { URL(filePath: path).lastPathComponent }
}

/// Destinations where a body cannot be written although the disk has room.
@Suite("Paths where no body can be written", .timeLimit(.minutes(1)))
struct UnwritableTests {
    enum Place: CaseIterable {
        case folder, pipe, withNUL, empty, inFile
    }

    @Test(
        "writing a body to an unusable path fails with the path and the reason, and changes nothing",
        arguments: Place.allCases)
    func refused(place: Place) async throws {
        let scene = try DownloadScene()
        let path: String
        switch place {
        case .folder:
            path = scene.path
            unsafe #expect(mkdir(path, 0o700) == 0)
        case .pipe:
            path = scene.path
            unsafe #expect(mkfifo(path, 0o600) == 0)
        case .withNUL: path = scene.path + "\0.txt"
        case .empty: path = ""
        case .inFile:
            try Data().write(to: URL(filePath: scene.path))
            path = scene.path + "/file"
        }
        let before = scene.names
        let error = await failure { _ = try await OutgoingRequest.Body.string("x").write(toFile: path) }
        #expect(error?.code == .bodyFailed)
        let cause = try #require(error?.underlying as? FileError)
        #expect(cause.path == path)
        #expect(cause.code == (place == .folder ? EISDIR : place == .inFile ? ENOTDIR : EINVAL))
        #expect(scene.names == before)
        var status = stat()
        if place == .pipe { unsafe #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO) }
    }

    @Test("a body can be written to a file whose name has the maximum length")
    func longName() async throws {
        let scene = try DownloadScene()
        let name = String(repeating: "n", count: 255)
        #expect(try await OutgoingRequest.Body.string("x").write(toFile: "\(scene.folder)/\(name)") == 1)
        #expect(scene.names == [name])
    }
}
