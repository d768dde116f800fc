#if DiskCache
import Foundation
import Glibc
import Sockeye
import SockeyeCache
import SockeyeEngine
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@testable import SockeyeDiskCache

@Suite("A store on a disk that fails", .timeLimit(.minutes(1))) struct FullDiskTests {
    private func answer(_ mock: MockTransport, _ size: Int) {
        mock.answer(.get, "*") { request in
            .bytes(CacheStoreSubject.content(request.path, size), headers: [.cacheControl: "max-age=60"])
        }
    }

    @Test(
        "a client on a full disk gets every response, and stores those that fit",
        .enabled(if: SmallDisk.isPossible, "\(SmallDisk.missing)"), arguments: [1000, 60_000, 400_000])
    func full(size: Int) async throws {
        let disk = try SmallDisk(size: 2 << 20, staysMounted: true)
        let store = try DiskCacheStore(at: disk.folder + "/cache", limit: 64 << 20)
        let mock = MockTransport()
        answer(mock, size)
        let client = HTTPClient(transport: mock).adding(.cache(store))
        for round in 0..<2 {
            for index in 0..<(6 << 20) / size where index < 300 {
                let content = try await client.get("https://a.test/\(index)").bytes()
                #expect(content.count == size, "\(round)")
            }
        }
        // Once there is room again, the store uses it.
        try await store.removeAll()
        await eventually("room on the disk") {
            guard (try? await client.get("https://a.test/0").bytes()) != nil else { return false }
            return store.count == 1
        }
        #expect(try await client.get("https://a.test/0").cacheOutcome?.kind == .hit)
        await store.close()
    }

    enum Call: String, CaseIterable, Sendable {
        case write, shortWrite, synchronize, read
    }

    @Test(
        "a response that cannot be written is not stored, and a request is repeated if the stored body cannot be read",
        arguments: Call.allCases)
    func failingCalls(call: Call) async throws {
        let scene = try DiskCacheScene()
        let isBroken = Mutex(true)
        var calls = FileCalls.system
        let system = calls
        switch call {
        case .write: unsafe calls.write = { _, _, _ in -Int(ENOSPC) }
        case .shortWrite:
            unsafe calls.write = { file, bytes, position in
                unsafe system.write(file, UnsafeRawBufferPointer(rebasing: bytes.prefix(1000)), position)
            }
        case .synchronize: calls.synchronize = { _ in EIO }
        case .read:
            unsafe calls.read = { file, bytes, position in
                isBroken.withLock(\.self) ? -Int(EIO) : unsafe system.read(file, bytes, position)
            }
        }
        let store = try DiskCacheStore(at: scene.folder, limit: 16 << 20, calls: calls)
        let mock = MockTransport()
        answer(mock, 400_000)
        let client = HTTPClient(transport: mock).adding(.cache(store))
        let first = try await client.get("https://a.test/0").bytes()
        #expect(first.count == 400_000)
        switch call {
        case .shortWrite:
            #expect(store.count == 1)
            #expect(try await client.get("https://a.test/0").bytes() == first && mock.requests.count == 1)
        case .write, .synchronize:
            #expect(store.count == 0)
            await eventually("an empty folder") { scene.bodies.isEmpty }
            #expect(try await client.get("https://a.test/0").bytes() == first && mock.requests.count == 2)
        case .read:
            #expect(try await client.get("https://a.test/0").bytes() == first && mock.requests.count == 2)
            isBroken.withLock { $0 = false }
            #expect(try await client.get("https://a.test/0").bytes() == first && mock.requests.count == 2)
        }
        await store.close()
    }

    @Test(
        "an entry that cannot be read is removed, but not if the process only lacks memory or descriptors",
        arguments: [(ENOMEM, true), (EMFILE, true), (EIO, false)])
    func failingRead(code: Int32, isKept: Bool) async throws {
        let scene = try DiskCacheScene()
        let failure = Mutex<Int32>(0)
        var calls = FileCalls.system
        let system = calls
        unsafe calls.read = { file, bytes, position in
            let code = failure.withLock(\.self)
            return code == 0 ? unsafe system.read(file, bytes, position) : -Int(code)
        }
        let store = try DiskCacheStore(at: scene.folder, limit: 16 << 20, calls: calls)
        let subject = CacheStoreSubject(store: store, prefix: "https://a.test/")
        let key = subject.key("a")
        try await subject.store(CacheStoreSubject.response("a"), 600_000, under: key)
        let found = try #require(try await subject.find("a", under: key))
        let body = try #require(try await store.body(of: found, for: key))
        failure.withLock { $0 = code }
        await #expect(throws: FileError.self) { try await CacheStoreSubject.read(body, 0..<600_000) }
        failure.withLock { $0 = 0 }
        if isKept {
            try await subject.demandStored("a", 600_000, under: key)
        } else {
            await eventually("the removal of the entry") { store.count == 0 }
        }
        await store.close()
    }

    /// Makes each removal of an entry fail, as a full disk does.
    private static let refusal =
        "CREATE TRIGGER refusal BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'refused'); END"

    @Test("if a withdrawn response cannot be removed, the database is replaced, so that the response is not served")
    func failingWithdrawal() async throws {
        let scene = try DiskCacheScene()
        let store = try scene.open()
        let subject = CacheStoreSubject(store: store, prefix: "https://a.test/")
        let (key, response) = (subject.key("a"), try CacheStoreSubject.response("a"))
        try await subject.store(response, 1000, under: key)
        try DatabaseTampering.run(Self.refusal, in: scene.database)
        store.withdraw(response, key)
        let found = try await store.responses(for: key)
        #expect(found.isEmpty && store.count == 0)
        await store.close()
    }

    @Test("a damaged response that cannot be removed does not hide the other responses of its key")
    func failingRemovalOfDamage() async throws {
        let scene = try DiskCacheScene()
        let store = try scene.open()
        let subject = CacheStoreSubject(store: store, prefix: "https://a.test/")
        let key = subject.key("a")
        try await subject.store(CacheStoreSubject.response("a", foo: "1"), 1000, under: key)
        try await subject.store(CacheStoreSubject.response("b", foo: "2"), 1000, under: key)
        try DatabaseTampering.run(
            "UPDATE entry SET headChecksum = x'00' WHERE id = CAST('a' AS BLOB)", in: scene.database)
        try DatabaseTampering.run(Self.refusal, in: scene.database)
        let found = try await store.responses(for: key)
        #expect(found.map(\.id) == ["b"])
        await store.close()
    }
}
#endif
