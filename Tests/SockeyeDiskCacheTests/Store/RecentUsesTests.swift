#if DiskCache
import SockeyeCore
import SockeyeEngine
import SockeyeTesting
import Synchronization
import Testing

@testable import SockeyeDiskCache

@Suite("Recent uses of entries") struct RecentUsesTests {
    @Test("uses that could not be written are pending again, unless the entry has a later use")
    func restore() {
        var uses = RecentUses(after: 10)
        uses.note(1)
        uses.note(2)
        let taken = uses.take()
        #expect(uses.pending.isEmpty)
        uses.note(2)
        uses.restore(taken)
        #expect(uses.pending == [1: 11, 2: 13])
    }

    @Test("uses stay pending if the database cannot be written, and the next 4,096 uses try again")
    func failingWrite() throws {
        let scene = try DiskCacheScene()
        let folder = try CacheFolder(scene.folder, calls: .system)
        let limits = CacheLimits(bytes: 1 << 20, count: 100)
        let index = try CacheIndex.open(in: folder, limits: limits, lock: try folder.lock())
        let response = try CacheStoreSubject.response("a")
        let files = try index.insert(NewEntry(response: response, key: "a", content: .inline(Bytes("a")))) { true }
        #expect(files?.isEmpty == true)
        try DatabaseTampering.run(
            "CREATE TRIGGER refusal BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'refused'); END",
            in: scene.database)
        // The only entry has the number 1. Uses of missing entries have no effect on the database.
        for number in 1...RecentUses.mostPending { index.note(Int64(number)) }
        #expect(index.uses.withLock { $0.pending.count } == RecentUses.mostPending)
        #expect(index.uses.withLock { $0.isDue } == false)
        try DatabaseTampering.run("DROP TRIGGER refusal", in: scene.database)
        for number in 1...RecentUses.mostPending { index.note(Int64(RecentUses.mostPending + number)) }
        #expect(index.uses.withLock { $0.pending.count } == 0)
        index.close()
    }
}
#endif
