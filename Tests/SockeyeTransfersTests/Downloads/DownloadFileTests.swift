import Dispatch
import Foundation
import Sockeye
import SockeyeCore
import SockeyePlatform
import SockeyeTestSupport
import SockeyeTransfers
import Testing

/// The temporary file of a download and its move to the destination.
@Suite struct DownloadFileTests {
    private func failure(_ body: () async throws(FileFailure) -> Void) async -> FileError? {
        do throws(FileFailure) {
            try await body()
            return nil
        } catch {
            guard case .system(let error) = error else { return nil }
            return error
        }
    }

    private func code(_ body: () async throws(FileFailure) -> Void) async -> Int32? { await failure(body)?.code }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test("the temporary file is hidden and private, and one rename makes it an ordinary file")
    func moved() async throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "x.txt")
        let file = try await DownloadFile.create(beside: folder("x.txt"))
        #expect(try mode(file.path) == 0o600)
        #expect(folder.names.count == 2 && folder.names[0].hasPrefix(".sockeye-"))
        try await file.append(Bytes("new "))
        try await file.append(Bytes("text"))
        try await file.flush()
        #expect(file.written == 8 && folder.text("x.txt") == "old")
        #expect(try await file.move(to: folder("x.txt"), .replace) == folder("x.txt"))
        #expect(folder.names == ["x.txt"] && folder.text("x.txt") == "new text")
        // The file has the mode of the file that it replaced.
        try folder.write("", to: "y.txt")
        #expect(try mode(folder("x.txt")) == mode(folder("y.txt")))
        // The second file replaces no file. It has the mode of any new file, or a private mode if the umask is unknown.
        let new = try await DownloadFile.create(beside: folder("z.txt"))
        #expect(try await new.move(to: folder("z.txt"), .fail) == folder("z.txt"))
        let usual = SystemFeature.creationMask.isSupported ? try mode(folder("y.txt")) : 0o600
        #expect(try mode(folder("z.txt")) == usual)
    }

    @Test("the temporary file is removed on request or after the last reference, unless it is kept")
    func removed() async throws {
        let folder = try TemporaryFolder()
        for isAsked in [true, false] {
            do {
                let file = try await DownloadFile.create(beside: folder("x"))
                try await file.append(Bytes("abc"))
                try await file.flush()
                if isAsked {
                    await file.remove()
                    #expect(folder.names == [])
                }
            }
            await eventually("the file is removed") { folder.names == [] }
        }
        do { try await DownloadFile.create(beside: folder("x")).keep() }
        #expect(folder.names.count == 1)
    }

    @Test("a temporary file of a cancelled task is removed, and its blocks are freed while it is open")
    func freed() async throws {
        let folder = try TemporaryFolder()
        let file = try TemporaryFile.create(in: folder.path, .resumable, mode: 0o600)
        var position = 0
        try file.write(Bytes("abc"), at: &position)
        let other = try FileHandle(opening: file.path, for: .reading)
        let removal = Task { await file.remove() }
        removal.cancel()
        await removal.value
        #expect(folder.names == [])
        await eventually("the file is empty") { (try? other.status(file.path).size) == 0 }
    }

    @Test("bytes that wait for a running write are not written after the file is removed", .timeLimit(.minutes(1)))
    func pending() async throws {
        let folder = try TemporaryFolder()
        let writes = Recorder<Int>()
        let (hasBegun, mayEnd) = (OneShotEvent(), DispatchSemaphore(value: 0))
        var calls = FileCalls.system
        unsafe calls.write = { descriptor, bytes, position in
            writes.append(bytes.count)
            hasBegun.happen()
            mayEnd.wait()
            return unsafe FileCalls.system.write(descriptor, bytes, position)
        }
        let file = try await DownloadFile.create(beside: folder("x"), calls: calls)
        try await file.append(Bytes("abc"))
        await hasBegun.wait()
        try await file.append(Bytes("defg"))
        await file.remove()
        for _ in 0..<2 { mayEnd.signal() }
        try await file.flush()
        #expect(writes.values == [3] && folder.names == [])
    }

    @Test("only one download at a time can reopen a temporary file, and it appends to the content")
    func reopened() async throws {
        let folder = try TemporaryFolder()
        var path = ""
        do {
            let file = try await DownloadFile.create(beside: folder("x"))
            path = file.path
            try await file.append(Bytes("abc"))
            #expect(
                await code { () async throws(FileFailure) in _ = try await DownloadFile.reopen(path) } == EWOULDBLOCK)
            file.keep()
        }
        let again = try await DownloadFile.reopen(path)
        #expect(again.count == 3)
        try await again.append(Bytes("def"))
        #expect(try await again.move(to: folder("x"), .fail) == folder("x"))
        #expect(folder.text("x") == "abcdef")
    }

    @Test("only a file made by a download is reopened, never another name, a link, a folder or a pipe")
    func foreign() async throws {
        let folder = try TemporaryFolder()
        try folder.write("s", to: "secret")
        #expect(
            await code { () async throws(FileFailure) in _ = try await DownloadFile.reopen(folder("secret")) } == EINVAL
        )
        #expect(
            await code { () async throws(FileFailure) in _ = try await DownloadFile.reopen(folder(".sockeye-1.part")) }
                == ENOENT)
        unsafe symlink(folder("secret"), folder(".sockeye-2.part"))
        #expect(
            await code { () async throws(FileFailure) in _ = try await DownloadFile.reopen(folder(".sockeye-2.part")) }
                == ELOOP)
        unsafe mkfifo(folder(".sockeye-3.part"), 0o600)
        #expect(
            await code { () async throws(FileFailure) in _ = try await DownloadFile.reopen(folder(".sockeye-3.part")) }
                == EINVAL)
        unsafe mkdir(folder(".sockeye-4.part"), 0o700)
        #expect(
            await code { () async throws(FileFailure) in _ = try await DownloadFile.reopen(folder(".sockeye-4.part")) }
                == EISDIR)
        #expect(folder.text("secret") == "s")
    }

    @Test("an existing file is replaced, causes an error or is kept, as the policy says")
    func existing() async throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "a.tar.gz")
        func finish(_ existing: ExistingFilePolicy) async throws(FileFailure) -> String {
            let file = try await DownloadFile.create(beside: folder("a.tar.gz"))
            try await file.append(Bytes("new"))
            return try await file.move(to: folder("a.tar.gz"), existing)
        }
        #expect(try await finish(.keepBoth) == folder("a.tar-1.gz"))
        #expect(try await finish(.keepBoth) == folder("a.tar-2.gz"))
        let refused = await failure { () async throws(FileFailure) in _ = try await finish(.fail) }
        #expect(refused?.code == EEXIST && folder.text("a.tar.gz") == "old")
        #expect(try await finish(.replace) == folder("a.tar.gz"))
        #expect(folder.text("a.tar.gz") == "new")
        // The temporary file of the refused download is removed by another thread.
        await eventually("three files") { folder.names == ["a.tar-1.gz", "a.tar-2.gz", "a.tar.gz"] }
    }

    @Test("a numbered name that begins with a combining mark stays in its folder")
    func combiningMark() async throws {
        let folder = try TemporaryFolder()
        for _ in 0..<2 {
            let file = try await DownloadFile.create(beside: folder("a/x"))
            _ = try await file.move(to: folder("a/\u{301}b.pdf"), .keepBoth)
        }
        #expect(folder.names == ["a"])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder("a"))
        #expect(Set(names) == ["\u{301}b.pdf", "\u{301}b-1.pdf"])
    }

    @Test("missing folders of the destination are created")
    func folders() async throws {
        let folder = try TemporaryFolder()
        let place = folder("a/b/c/x")
        let file = try await DownloadFile.create(beside: place)
        #expect(try await file.move(to: place, .replace) == place)
    }

    @Test("a folder at the destination is an error, and stays")
    func folderInPlace() async throws {
        let folder = try TemporaryFolder()
        unsafe mkdir(folder("x"), 0o700)
        let file = try await DownloadFile.create(beside: folder("x"))
        let seen = await code { () async throws(FileFailure) in _ = try await file.move(to: folder("x"), .replace) }
        #expect(seen == EISDIR)
        #expect(folder.names.contains("x"))
    }

    @Test("a temporary file that was removed or replaced by another program is not moved")
    func vanished() async throws {
        let folder = try TemporaryFolder()
        for replaces in [false, true] {
            try folder.write("old", to: "x")
            let file = try await DownloadFile.create(beside: folder("x"))
            try await file.append(Bytes("new"))
            unsafe unlink(file.path)
            if replaces { try Data("foreign".utf8).write(to: URL(filePath: file.path)) }
            try await file.flush()
            let seen = await code { () async throws(FileFailure) in _ = try await file.move(to: folder("x"), .replace) }
            #expect(seen == ENOENT)
            #expect(folder.text("x") == "old")
        }
    }

    @Test("a file used as a folder and a folder that cannot be created are errors")
    func unusableFolder() async throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "file")
        #expect(
            await code { () async throws(FileFailure) in _ = try await DownloadFile.create(beside: folder("file/x")) }
                == ENOTDIR)
        #expect(
            await code { () async throws(FileFailure) in _ = try await DownloadFile.create(beside: "/proc/x/y") }
                == ENOENT)
    }

    @Test("interrupted and short writes continue where they stopped")
    func shortWrites() async throws {
        let folder = try TemporaryFolder()
        let turn = Recorder<Int>()
        var calls = FileCalls.system
        unsafe calls.write = { descriptor, bytes, position in
            turn.append(position)
            if turn.values.count % 3 == 0 { return -Int(EINTR) }
            return unsafe FileCalls.system.write(
                descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(7)), position)
        }
        let file = try await DownloadFile.create(beside: folder("x"), calls: calls)
        let text = String((0..<100).flatMap { "\($0)," })
        try await file.append(Bytes(text))
        try await file.flush()
        file.keep()
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == text)
    }

    @Test("a full disk is an error, and the bytes written before it are counted", arguments: [ENOSPC, EDQUOT, 0])
    func full(code: Int32) async throws {
        let folder = try TemporaryFolder()
        var calls = FileCalls.system
        unsafe calls.write = { descriptor, bytes, position in
            guard position < 10 else { return -Int(code) }
            return unsafe FileCalls.system.write(
                descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(10)), position)
        }
        let file = try await DownloadFile.create(beside: folder("x"), calls: calls)
        let seen = await self.code { () async throws(FileFailure) in
            try await file.append(Bytes("0123456789abc"))
            try await file.flush()
        }
        #expect(seen == (code == 0 ? ENOSPC : code))
        #expect(file.written == 10)
    }

    @Test("a file that cannot be synchronised is not moved", .timeLimit(.minutes(1)))
    func badDisk() async throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "x")
        var calls = FileCalls.system
        calls.synchronize = { _ in EIO }
        let file = try await DownloadFile.create(beside: folder("x"), calls: calls)
        let error = await failure { () async throws(FileFailure) in _ = try await file.move(to: folder("x"), .replace) }
        #expect(error?.code == EIO && error?.operation == "synchronize")
        #expect(folder.text("x") == "old")
    }
}
