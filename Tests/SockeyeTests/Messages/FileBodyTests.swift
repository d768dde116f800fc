import Dispatch
import Foundation
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine

@Suite("Files as bodies", .timeLimit(.minutes(1)))
struct FileBodyTests {
    @Test("a file is read in large pieces, even after a small first one")
    func pieces() throws {
        let file = try ScratchFile("f", [UInt8](repeating: 1, count: 1 << 20))
        var reader = try FileReader(path: file.path)
        #expect(try reader.next(atMost: 1)?.count == 1)
        #expect(try reader.next(atMost: 100_000)?.count == 100_000)
        #expect(try reader.next()?.count == 256 << 10)
    }

    @Test("all pieces of a file are read into one block, unless an earlier piece is still used")
    func blocks() throws {
        let content = (0..<4).flatMap { [UInt8](repeating: $0, count: 256 << 10) }
        let file = try ScratchFile("f", content)
        func address(of piece: Bytes) -> Int { unsafe piece.withUnsafeBytes { Int(bitPattern: $0.baseAddress) } }
        var reader = try FileReader(path: file.path)
        var addresses: Set<Int> = []
        while let piece = try reader.next() { addresses.insert(address(of: piece)) }
        #expect(addresses.count == 1)
        var second = try FileReader(path: file.path)
        var pieces: [Bytes] = []
        while let piece = try second.next() { pieces.append(piece) }
        #expect(Set(pieces.map(address)).count == 4)
        #expect(pieces.flatMap { $0 } == content)
    }

    @Test("the file of a body is opened even if opens on other disks hang")
    func hangingDisk() async throws {
        let file = try ScratchFile("f", "content".utf8)
        var calls = FileCalls.system
        calls.device = .random(in: .min ... .max)
        let body = try OutgoingRequest.Body.file(file.path, calls: calls)
        let mayEnd = DispatchSemaphore(value: 0)
        for _ in 0..<8 { DiskThreadPool.opening.begin { mayEnd.wait() } }
        defer { for _ in 0..<8 { mayEnd.signal() } }
        #expect(try await CollectingSink.collect(body).text == "content")
    }

    @Test("a path with a NUL is refused", arguments: [false, true])
    func nul(isForm: Bool) throws {
        let file = try ScratchFile("secret", "text".utf8)
        let error = #expect(throws: SockeyeError.self) {
            var form = MultipartForm()
            if isForm {
                try form.file("f", at: file.path + "\0.png")
            } else {
                _ = try OutgoingRequest.Body.file(file.path + "\0.png")
            }
        }
        #expect(error?.code == .bodyFailed)
    }

    @Test("the missing folders of a path are created within a small stack, even if there are 1,500 of them")
    func deepFolders() throws {
        let folder = try TemporaryFolder()
        var path = folder.path + String(repeating: "/a", count: 1500)
        // The stack is larger than the tested limit, so that the test fails instead of crashing.
        let (isCreated, used) = SmallStack.run(size: 16 * SmallStack.size) { [path] in
            (try? FilePath.createFolders(path)) != nil
        }
        #expect(isCreated && used <= SmallStack.size)
        // Each folder is removed by itself, because a recursive removal may need a large stack.
        var removed = 0
        for _ in 0..<1500 {
            if unsafe rmdir(path) == 0 { removed += 1 }
            path = FilePath.folder(of: path)
        }
        #expect(removed == 1500 && path == folder.path && folder.names.isEmpty)
    }

    /// Replaces a file by renaming another file to its path, as most programs save.
    private func replace(_ file: ScratchFile, by count: Int) throws {
        let other = file.url.appendingPathExtension("new")
        try Data(repeating: 2, count: count).write(to: other)
        unsafe #expect(rename(other.path, file.path) == 0)
        #expect(file.siblings.count == 1)
    }

    @Test(
        "a file body fails if its file was replaced by one of another length, and no byte is sent",
        arguments: [1000, 100_000], [-1, 1])
    func replaced(count: Int, difference: Int) async throws {
        let file = try ScratchFile("f", [UInt8](repeating: 1, count: count))
        let body = try OutgoingRequest.Body.file(file.path)
        try replace(file, by: count + difference)
        let sink = CollectingSink()
        let error = await #expect(throws: SockeyeError.self) { try await body.produce(into: sink) }
        #expect(error?.code == .bodyLengthMismatch)
        #expect(error?.limit?.configured == "\(count) bytes")
        #expect(error?.limit?.seen == "\(count + difference) bytes")
        #expect(await sink.bytes.isEmpty)
        try await withTestServer { request in
            // The server reads the content before it responds, because an early response would end the call without an
            // error.
            _ = try await request.body.collect()
            return .ok()
        } run: { server in
            let error = await #expect(throws: SockeyeError.self) {
                try await HTTPClient().put(server.url(), .body(body))
            }
            #expect(error?.code == .bodyLengthMismatch)
            _ = server.takeFailures()
        }
    }

    @Test("a file body sends the announced bytes if its file has grown or was replaced by one of the same length")
    func sameLength() async throws {
        let file = try ScratchFile("f", [UInt8](repeating: 1, count: 1000))
        let body = try OutgoingRequest.Body.file(file.path)
        try replace(file, by: 1000)
        #expect(try await CollectingSink.collect(body).bytes == [UInt8](repeating: 2, count: 1000))
        let log = try ScratchFile("g", [UInt8](repeating: 3, count: 1000))
        let beginning = try OutgoingRequest.Body.file(log.path)
        try log.resize(to: 5000)
        #expect(try await CollectingSink.collect(beginning).bytes == [UInt8](repeating: 3, count: 1000))
    }

    @Test("a body with trailers must still have its declared length, although it is chunked", arguments: [2, 4])
    func trailers(declared: Int) async throws {
        let body = OutgoingRequest.Body.stream(Elements([[1, 2, 3] as [UInt8]]), length: declared).trailers { [:] }
        let error = await #expect(throws: SockeyeError.self) { _ = try await CollectingSink.collect(body) }
        #expect(error?.code == .bodyLengthMismatch)
        #expect(error?.limit?.configured == "\(declared) bytes")
    }

    @Test("pieces of absurd length are an error and no crash", arguments: [false, true])
    func absurd(isForm: Bool) async throws {
        try await withTestServer { request in
            _ = try await request.body.collect()
            return .ok()
        } run: { server in
            let pieces = Elements([repeatElement(7 as UInt8, count: 3), repeatElement(7, count: .max)])
            var body = OutgoingRequest.Body.stream(pieces, length: 10)
            if isForm {
                var form = MultipartForm()
                form.part("p", body)
                body = try form.body()
            }
            let error = await #expect(throws: SockeyeError.self) {
                try await HTTPClient().put(server.url(), .body(body))
            }
            #expect(error?.code == .bodyLengthMismatch)
            #expect(error?.limit?.seen == "more")
            _ = server.takeFailures()
        }
    }

    @Test("pieces without contiguous memory arrive unchanged")
    func exotic() async throws {
        let pieces = Elements([Array(0..<200_000).map { UInt8(truncatingIfNeeded: $0) }.reversed()])
        try await withTestServer { request in
            let content = try await request.body.collect()
            return .ok("\(content.count) \(content.first ?? 0) \(content.last ?? 0)")
        } run: { server in
            for length in [nil, 200_000] {
                let response = try await HTTPClient().put(server.url(), .stream(pieces, length: length))
                #expect(try await response.text() == "200000 \(199_999 & 255) 0")
            }
        }
    }
}
