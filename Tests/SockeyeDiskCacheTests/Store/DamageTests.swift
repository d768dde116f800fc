#if DiskCache
import Foundation
import Glibc
import Sockeye
import SockeyeCache
import SockeyeDiskCache
import SockeyeEngine
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("A store on disk whose files were changed", .timeLimit(.minutes(1))) struct DamageTests {
    private let scene: DiskCacheScene
    private static let size = 600_000

    init() throws {
        scene = try DiskCacheScene()
    }

    enum Change: String, CaseIterable, Sendable {
        case shorter, cutAtBlock, longer, empty, flipped, flippedChecksum, otherEntry, removed, folder, link, fifo
    }

    private func apply(_ change: Change, to path: String, _ other: String) throws {
        switch change {
        case .shorter: unsafe #expect(truncate(path, 599_000) == 0)
        case .cutAtBlock: unsafe #expect(truncate(path, 262_176) == 0)
        case .longer: unsafe #expect(truncate(path, 700_000) == 0)
        case .empty: unsafe #expect(truncate(path, 0) == 0)
        case .flipped: try scene.overwrite(path, at: 300_000, with: [0xFF, 0, 0xFF, 0])
        case .flippedChecksum: try scene.overwrite(path, at: 262_150, with: [0xFF, 0, 0xFF, 0])
        case .otherEntry: unsafe #expect(rename(other, path) == 0)
        default:
            unsafe #expect(unlink(path) == 0)
            switch change {
            case .folder: unsafe #expect(mkdir(path, 0o700) == 0)
            case .link: unsafe #expect(symlink(other, path) == 0)
            case .fifo: unsafe #expect(mkfifo(path, 0o600) == 0)
            default: break
            }
        }
    }

    /// Stores two entries of the same size, and returns the paths of their bodies in that order.
    private func fill(_ subject: CacheStoreSubject) async throws -> (path: String, other: String) {
        try await subject.store(CacheStoreSubject.response("a"), Self.size, under: subject.key("a"))
        let path = try #require(scene.bodies.first)
        try await subject.store(CacheStoreSubject.response("b"), Self.size, under: subject.key("b"))
        return (path, try #require(scene.bodies.first { $0 != path }))
    }

    /// Waits for the next tick of the system's clock for files, which ticks only a few times a second. The test
    /// `changedWhileServed` covers a change within the same tick, which the store notices only while it serves the
    /// file.
    private func letTheClockTick() throws {
        let path = scene.parentFolder + "/tick"
        func changed() throws -> Int {
            try Data([1]).write(to: URL(filePath: path))
            var status = stat()
            unsafe #expect(stat(path, &status) == 0)
            return status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec
        }
        let first = try changed()
        while try changed() == first {}
    }

    @Test(
        "a store serves nothing of a body that was changed, and removes its entry", arguments: Change.allCases,
        [false, true])
    func body(change: Change, reopens: Bool) async throws {
        let paths = try await scene.withStore { subject in
            let paths = try await fill(subject)
            guard !reopens else { return paths }
            try letTheClockTick()
            try apply(change, to: paths.path, paths.other)
            let found = try #require(try await subject.find("a", under: subject.key("a")))
            #expect(try await subject.store.body(of: found, for: subject.key("a")) == nil)
            try await subject.demandGone(found, under: subject.key("a"))
            return paths
        }
        guard reopens else { return }
        try letTheClockTick()
        try apply(change, to: paths.path, paths.other)
        try await scene.withStore { subject in
            let key = subject.key("a")
            if let found = try await subject.find("a", under: key) {
                #expect(try await subject.store.body(of: found, for: key) == nil)
            }
            try await subject.demandGone(CacheStoreSubject.response("a"), under: key)
            if change != .otherEntry { try await subject.demandStored("b", Self.size, under: subject.key("b")) }
        }
    }

    @Test("a store serves a body whose file was replaced by an equal one")
    func touched() async throws {
        try await scene.withStore { subject in
            let (path, _) = try await fill(subject)
            try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
            unsafe #expect(rename(path + ".copy", path) == 0)
            try await subject.demandStored("a", Self.size, under: subject.key("a"))
            try await subject.demandStored("a", Self.size, under: subject.key("a"))
        }
    }

    @Test(
        "a body that changes while it is served ends with an error, and its entry is removed", arguments: [true, false])
    func changedWhileServed(isCut: Bool) async throws {
        try await scene.withStore { subject in
            let (path, _) = try await fill(subject)
            let key = subject.key("a")
            let found = try #require(try await subject.find("a", under: key))
            let body = try #require(try await subject.store.body(of: found, for: key))
            guard case .stream(let open) = body else {
                Issue.record("the body is not a stream")
                return
            }
            var pieces = open(0..<Self.size).makeAsyncIterator()
            #expect(try await pieces.next(isolation: nil)?.count == 262_144)
            if isCut {
                unsafe #expect(truncate(path, 300_000) == 0)
            } else {
                try scene.overwrite(path, at: 300_000, with: [0xFF, 0, 0xFF, 0])
            }
            await #expect(throws: (any Error).self) { try await pieces.next(isolation: nil) }
            await eventually("the removal of the entry") {
                let found = try? await subject.find("a", under: key)
                return found == .some(nil)
            }
        }
    }

    @Test("damage to a body whose entry was replaced while it was served does not remove the new entry")
    func replacedWhileServed() async throws {
        try await scene.withStore { subject in
            let key = subject.key("a")
            try await subject.store(CacheStoreSubject.response("a"), Self.size, under: key)
            let path = try #require(scene.bodies.first)
            let found = try #require(try await subject.find("a", under: key))
            guard case .stream(let open)? = try await subject.store.body(of: found, for: key) else {
                Issue.record("the body is not a stream")
                return
            }
            var pieces = open(0..<Self.size).makeAsyncIterator()
            #expect(try await pieces.next(isolation: nil)?.count == 262_144)
            try scene.overwrite(path, at: 300_000, with: [0xFF, 0, 0xFF, 0])
            try await subject.store(CacheStoreSubject.response("new"), Self.size, under: key)
            await #expect(throws: (any Error).self) { try await pieces.next(isolation: nil) }
            // The removal runs on a disk thread, before the last of these look-ups.
            for _ in 0..<20 { try await subject.demandStored("new", Self.size, under: key) }
        }
    }

    // MARK: The database

    enum DatabaseChange: String, CaseIterable, Sendable {
        case empty, text, noHeader, randomPages, cut, otherProgram, otherVersion, missing
    }

    private func apply(_ change: DatabaseChange) throws {
        let path = scene.database
        switch change {
        case .empty: unsafe #expect(truncate(path, 0) == 0)
        case .text: try Data(repeating: 0x41, count: 100_000).write(to: URL(filePath: path))
        case .noHeader: try scene.overwrite(path, at: 0, with: [UInt8](repeating: 0, count: 100))
        case .randomPages:
            var random = SplitMix(seed: 7)
            let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
            for page in 1..<size / 4096 {
                try scene.overwrite(
                    path, at: page * 4096, with: (0..<64).map { _ in UInt8.random(in: 0...255, using: &random) })
            }
        case .cut: unsafe #expect(truncate(path, 4096) == 0)
        case .otherProgram: try scene.overwrite(path, at: 68, with: [1, 2, 3, 4])
        case .otherVersion: try scene.overwrite(path, at: 60, with: [0, 0, 0, 99])
        case .missing: unsafe #expect(unlink(path) == 0)
        }
    }

    @Test(
        "a store recreates a damaged database, and serves only unchanged responses", arguments: DatabaseChange.allCases)
    func database(change: DatabaseChange) async throws {
        try await scene.withStore { subject in
            for index in 0..<20 {
                try await subject.store(
                    CacheStoreSubject.response("\(index)"), index * 9000, under: subject.key("\(index)"))
            }
        }
        try apply(change)
        try await scene.withStore { subject in
            for index in 0..<20 {
                let key = subject.key("\(index)")
                for found in (try? await subject.store.responses(for: key)) ?? [] {
                    let content = (try? await subject.read(found, under: key)) ?? nil
                    #expect(content == nil || content == CacheStoreSubject.content(found.id, found.bodyLength))
                }
            }
            // The store has recreated the database by now, because the reads above met the damage.
            try await subject.store(CacheStoreSubject.response("new"), 100_000, under: subject.key("new"))
            try await subject.demandStored("new", 100_000, under: subject.key("new"))
        }
    }

    /// The order of events on the main actor.
    @MainActor private final class Order {
        var events: [String] = []

        nonisolated init() {}
    }

    @Test("close returns after a rebuild of the database has ended")
    func closeDuringRebuild() async throws {
        let (hasBegun, mayEnd) = (TestSignal(), DispatchSemaphore(value: 0))
        let order = Order()
        var calls = FileCalls.system
        let system = calls
        calls.remove = { path in
            hasBegun.fire()
            mayEnd.wait()
            mayEnd.signal()
            system.remove(path)
        }
        let store = try DiskCacheStore(at: scene.folder, limit: 16 << 20, calls: calls)
        try DatabaseTampering.run("DROP TABLE entry", in: scene.database)
        let asking = Task { try? await store.responses(for: "k") }
        try await hasBegun.wait()
        // Both tasks run on one actor, where the second begins when the first suspends or ends.
        let closing = Task { @MainActor in
            await store.close()
            order.events.append("closed")
        }
        let ending = Task { @MainActor in
            order.events.append("end of the rebuild")
            mayEnd.signal()
        }
        await ending.value
        await closing.value
        #expect(await order.events == ["end of the rebuild", "closed"])
        _ = await asking.value
    }

    @Test(
        "a head or a small content that was changed in the database is a miss",
        arguments: ["head", "body", "headChecksum", "bodyChecksum"])
    func row(column: String) async throws {
        try await scene.withStore { subject in
            try await subject.store(CacheStoreSubject.response("a"), 1000, under: subject.key("a"))
            try await subject.store(CacheStoreSubject.response("b"), 1000, under: subject.key("b"))
        }
        try DatabaseTampering.run(
            "UPDATE entry SET \(column) = (SELECT \(column) FROM entry WHERE id = CAST('b' AS BLOB)) "
                + "WHERE id = CAST('a' AS BLOB)", in: scene.database)
        try await scene.withStore { subject in
            let key = subject.key("a")
            if let found = try await subject.find("a", under: key) {
                #expect(try await subject.store.body(of: found, for: key) == nil)
            }
            try await subject.demandGone(CacheStoreSubject.response("a"), under: key)
            try await subject.demandStored("b", 1000, under: subject.key("b"))
        }
    }

    @Test("an entry without a checksum of its content is removed", arguments: ["", ", inode = 1"])
    func noChecksum(change: String) async throws {
        try await scene.withStore { subject in
            try await subject.store(CacheStoreSubject.response("a"), 1000, under: subject.key("a"))
        }
        try DatabaseTampering.run("UPDATE entry SET bodyChecksum = NULL\(change)", in: scene.database)
        try await scene.withStore { subject in
            let key = subject.key("a")
            let found = try #require(try await subject.find("a", under: key))
            #expect(try await subject.store.body(of: found, for: key) == nil)
            try await subject.demandGone(CacheStoreSubject.response("a"), under: key)
        }
    }

    @Test("values of unexpected types and sizes in the database are misses, and do not end the process")
    func wrongTypes() async throws {
        try await scene.withStore { subject in
            for index in 0..<6 {
                try await subject.store(CacheStoreSubject.response("\(index)"), 100_000, under: subject.key("\(index)"))
            }
        }
        let changes = [
            "head = x'00'", "length = -1", "file = '../../etc/passwd'", "inode = NULL, changed = NULL",
            "length = 1 << 62",
            "file = NULL, body = zeroblob(10000000)",
        ]
        for (index, change) in changes.enumerated() {
            try DatabaseTampering.run(
                "UPDATE entry SET \(change) WHERE id = CAST('\(index)' AS BLOB)", in: scene.database)
        }
        try await scene.withStore { subject in
            for index in 0..<6 {
                let key = subject.key("\(index)")
                if let found = try await subject.find("\(index)", under: key) {
                    #expect(try await subject.store.body(of: found, for: key) == nil)
                }
            }
            try await subject.store(CacheStoreSubject.response("new"), 1000, under: subject.key("new"))
            try await subject.demandStored("new", 1000, under: subject.key("new"))
        }
    }

    @Test(
        "a database whose table accepts any number is replaced by an empty one if a number is outside the limits",
        arguments: ["cost = -1e300", "cost = 1e300", "cost = -0.5", "cost = 'a'", "cost = NULL", "used = 1e300"])
    func numbersWithoutStrictSchema(change: String) async throws {
        try await scene.withStore { subject in
            for name in ["a", "b"] {
                try await subject.store(CacheStoreSubject.response(name), 1000, under: subject.key(name))
            }
        }
        try DatabaseTampering.run(
            "CREATE TABLE loose AS SELECT * FROM entry; DROP TABLE entry; ALTER TABLE loose RENAME TO entry; "
                + "UPDATE entry SET \(change)", in: scene.database)
        try await scene.withStore { subject in
            try await subject.demandGone(CacheStoreSubject.response("a"), under: subject.key("a"))
            try await subject.store(CacheStoreSubject.response("new"), 1000, under: subject.key("new"))
            try await subject.demandStored("new", 1000, under: subject.key("new"))
        }
    }

    @Test("a store removes bodies without an entry, and leaves files that are not its own")
    func sweep() async throws {
        try await scene.withStore { subject in
            try await subject.store(CacheStoreSubject.response("a"), 100_000, under: subject.key("a"))
        }
        for name in ["0abc.body", "notes.txt", "UPPER.body"] {
            try Data([1]).write(to: URL(filePath: scene.bodiesFolder + "/" + name))
        }
        try await scene.withStore { subject in try await subject.demandStored("a", 100_000, under: subject.key("a")) }
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.bodiesFolder)
        #expect(names.count == 3 && names.contains("notes.txt") && names.contains("UPPER.body"))
    }
}
#endif
