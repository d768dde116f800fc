#if DiskCache
import Foundation
import Glibc
import Sockeye
import SockeyeCache
import SockeyeDiskCache
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("A cache's store on disk", .timeLimit(.minutes(1))) struct DiskCacheStoreTests {
    private let scene: DiskCacheScene

    init() throws {
        scene = try DiskCacheScene()
    }

    private static let sizes = [0, 10, 65_536, 65_537, 262_144, 700_000]

    @Test("stored responses are there after a restart, and removed ones are not")
    func persistence() async throws {
        let count = try await scene.withStore { subject in
            for size in Self.sizes {
                try await subject.store(CacheStoreSubject.response("\(size)"), size, under: subject.key("\(size)"))
            }
            try await subject.store(CacheStoreSubject.response("gone"), 100_000, under: subject.key("gone"))
            try await subject.store.removeAll(for: subject.key("gone"))
            return scene.bodies.count
        }
        #expect(count == 3)
        try await scene.withStore { subject in
            for size in Self.sizes { try await subject.demandStored("\(size)", size, under: subject.key("\(size)")) }
            try await subject.demandGone(CacheStoreSubject.response("gone"), under: subject.key("gone"))
            #expect((subject.store as? DiskCacheStore)?.count == Self.sizes.count && scene.bodies.count == 3)
        }
    }

    @Test("only the owner may access the files, even in a folder that existed before")
    func modes() async throws {
        try FileManager.default.createDirectory(
            atPath: scene.folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        try await scene.withStore { subject in
            try await subject.store(CacheStoreSubject.response("a"), 100_000, under: subject.key("a"))
            for path in [scene.database, scene.database + "-wal", scene.folder + "/sockeye-cache.lock"] + scene.bodies {
                #expect(scene.mode(path) == 0o600, "\(path)")
            }
            #expect(scene.bodies.count == 1 && scene.mode(scene.bodiesFolder) == 0o700)
        }
    }

    @Test("a folder that others may write to is refused", arguments: ["", "/sockeye-cache-bodies"])
    func sharedFolder(subfolder: String) throws {
        let folder = scene.folder + subfolder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        unsafe #expect(chmod(folder, 0o777) == 0)
        let error = #expect(throws: SockeyeError.self) { try scene.open() }
        #expect(error?.code == .badConfiguration && error?.message.contains("chmod go-w") == true)
    }

    @Test("a second store in the same folder is refused, and can open once the first is closed")
    func secondStore() async throws {
        let first = try scene.open()
        let error = #expect(throws: SockeyeError.self) { try scene.open() }
        #expect(error?.code == .badConfiguration && error?.message.contains("in use") == true)
        await first.close()
        await #expect(throws: (any Error).self) { try await first.responses(for: "k") }
        let second = try scene.open()
        await second.close()
    }

    @Test("a released store closes by itself")
    func letGo() async throws {
        do {
            let store = try scene.open()
            try await CacheStoreSubject(store: store, prefix: "https://a.test/").store(
                CacheStoreSubject.response("a"), 10, under: "k")
        }
        await eventually("the release of the folder by the first store") { (try? scene.open()) != nil }
    }

    // MARK: Limits

    @Test("beyond the limit of bytes or of responses, the least recently used are evicted, even after a restart")
    func eviction() async throws {
        try await scene.withStore(limit: 1 << 20) { subject in
            for index in 0..<5 {
                try await subject.store(CacheStoreSubject.response("\(index)"), 100_000, under: subject.key("\(index)"))
            }
            try await subject.demandStored("0", 100_000, under: subject.key("0"))
        }
        try await scene.withStore(limit: 1 << 20, countLimit: 6) { subject in
            for index in 5..<7 {
                try await subject.store(CacheStoreSubject.response("\(index)"), 10, under: subject.key("\(index)"))
            }
            // The limit is six responses and seven were stored, so one is evicted.
            try await subject.demandGone(CacheStoreSubject.response("1"), under: subject.key("1"))
            for index in [0, 2, 3, 4] {
                try await subject.demandStored("\(index)", 100_000, under: subject.key("\(index)"))
            }
            #expect((subject.store as? DiskCacheStore)?.count == 6)
        }
        try await scene.withStore(limit: 250_000) { subject in
            try await subject.store(CacheStoreSubject.response("8"), 10, under: subject.key("8"))
            let store = try #require(subject.store as? DiskCacheStore)
            #expect(store.byteCount <= 250_000 && store.count > 0 && scene.bodies.count == 2)
            try await store.removeAll()
            #expect(store.byteCount == 0 && store.count == 0 && scene.bodies.isEmpty)
        }
    }

    @Test("if a larger head makes the store exceed its limit, other responses are evicted")
    func update() async throws {
        try await scene.withStore(limit: 250_000, entryLimit: 100_000) { subject in
            for index in 0..<3 {
                try await subject.store(CacheStoreSubject.response("\(index)"), 70_000, under: subject.key("\(index)"))
            }
            let store = try #require(subject.store as? DiskCacheStore)
            #expect(store.count == 3 && scene.bodies.count == 3)
            var response = try #require(try await store.responses(for: subject.key("2")).first)
            for name: Headers.Name in ["A", "B"] { response.headers[name] = String(repeating: "x", count: 30_000) }
            try await store.update(response, for: subject.key("2"))
            #expect(store.byteCount <= 250_000 && store.count == 2 && scene.bodies.count == 2)
            try await subject.demandGone(CacheStoreSubject.response("0"), under: subject.key("0"))
        }
    }

    @Test("a response that alone exceeds the store's limit replaces its predecessor, and evicts no other response")
    func largerThanStore() async throws {
        try await scene.withStore(limit: 100_000, entryLimit: 100_000) { subject in
            let store = try #require(subject.store as? DiskCacheStore)
            for name in ["a", "b"] {
                try await subject.store(CacheStoreSubject.response(name), 35_000, under: subject.key(name))
            }
            // The content fits, but not with the page of its head.
            try await subject.store(CacheStoreSubject.response("b"), 98_304, under: subject.key("b"))
            try await subject.demandStored("a", 35_000, under: subject.key("a"))
            #expect(store.count == 1 && scene.bodies.isEmpty)
            try await subject.store(CacheStoreSubject.response("c"), 10, under: subject.key("c"))
            var response = try #require(try await store.responses(for: subject.key("a")).first)
            response.headers["A"] = String(repeating: "x", count: 70_000)
            try await store.update(response, for: subject.key("a"))
            try await subject.demandStored("c", 10, under: subject.key("c"))
            #expect(store.count == 1)
        }
    }

    @Test("the folder occupies less than the limit plus 5 MiB, even if large content replaces small content")
    func diskUsage() async throws {
        let limit = 8 << 20
        try await scene.withStore(limit: limit) { subject in
            for index in 0..<400 {
                try await subject.store(
                    CacheStoreSubject.response("s\(index)"), 60_000, under: subject.key("s\(index)"))
            }
            for index in 0..<60 {
                try await subject.store(
                    CacheStoreSubject.response("l\(index)"), 400_000, under: subject.key("l\(index)"))
            }
            #expect(
                (subject.store as? DiskCacheStore).map { $0.byteCount <= limit && $0.byteCount > limit / 2 } == true)
        }
        // Closing the store removes SQLite's log. Up to 4 MiB of free pages may remain in the database.
        #expect(scene.diskUsage < limit + (5 << 20), "\(scene.sizes)")
    }

    @Test("a response beyond the limit of an entry is not stored, whether its length was announced or not")
    func entryLimit() async throws {
        try await scene.withStore(limit: 1 << 20, entryLimit: 300_000) { subject in
            let writer = try #require(try await subject.store.writer(for: CacheStoreSubject.response("a"), key: "k"))
            try await writer.write(CacheStoreSubject.content("a", 300_000))
            await #expect(throws: (any Error).self) { try await writer.write(Bytes("d")) }
            writer.abandon()
            let large = try CacheStoreSubject.response("b", headers: [.contentLength: "300001"])
            #expect(try await subject.store.writer(for: large, key: "k") == nil)
            await eventually("an empty folder") { scene.bodies.isEmpty }
        }
    }

    // MARK: Cancellation

    @Test("close returns after the folder was unlocked, even if its task is cancelled")
    func cancelledClose() async throws {
        let store = try scene.open()
        let closing = Task { [scene] in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            await store.close()
            return try scene.open()
        }
        try await closing.value.close()
    }

    @Test("each of two simultaneous calls of close returns after the folder was unlocked")
    func simultaneousClose() async throws {
        let store = try scene.open()
        // Both tasks run on one actor, where the second begins when the first suspends.
        let first = Task { @MainActor in await store.close() }
        let second = Task { @MainActor [scene] in
            await store.close()
            return try scene.open()
        }
        await first.value
        try await second.value.close()
    }

    @Test("a removal completes even if its caller was cancelled")
    func cancelledRemoval() async throws {
        try await scene.withStore { subject in
            let key = subject.key("a")
            try await subject.store(CacheStoreSubject.response("a"), 100_000, under: key)
            let removal = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                try? await subject.store.removeAll(for: key)
            }
            await removal.value
            await eventually("no stored responses") { ((try? await subject.store.responses(for: key)) ?? []).isEmpty }
        }
    }

    @Test("a commit that is cancelled and abandoned leaves no file", arguments: [10, 400_000])
    func cancelledCommit(size: Int) async throws {
        try await scene.withStore { subject in
            let response = try CacheStoreSubject.response("a")
            let writer = try #require(try await subject.store.writer(for: response, key: "k"))
            try await CacheStoreSubject.write(CacheStoreSubject.content("a", size), to: writer, pieces: 50_000)
            let commit = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                do { try await writer.commit() } catch { writer.abandon() }
            }
            await commit.value
            #expect(try await subject.store.responses(for: "k").isEmpty)
            await eventually("an empty folder") { scene.bodies.isEmpty }
        }
    }
}
#endif
