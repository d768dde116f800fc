#if DiskCache
import Foundation
import Glibc
import Sockeye
import SockeyeTesting

@testable import SockeyeDiskCache

/// A separate folder for a store, which is deleted at the end.
final class DiskCacheScene: Sendable {
    let parentFolder: String
    var folder: String { parentFolder + "/cache" }
    var bodiesFolder: String { folder + "/sockeye-cache-bodies" }
    var database: String { folder + "/sockeye-cache.sqlite" }

    init() throws {
        parentFolder = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: parentFolder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: parentFolder)
    }

    func open(limit: Int = 16 << 20, entryLimit: Int? = nil, countLimit: Int = 1000) throws -> DiskCacheStore {
        try DiskCacheStore(at: folder, limit: limit, entryLimit: entryLimit, countLimit: countLimit)
    }

    /// Opens the store and closes it after `body`, so that it can be opened again.
    func withStore<Value>(
        limit: Int = 16 << 20, entryLimit: Int? = nil, countLimit: Int = 1000,
        _ body: (CacheStoreSubject) async throws -> Value
    ) async throws -> Value {
        let store = try await reopen(limit: limit, entryLimit: entryLimit, countLimit: countLimit)
        do {
            let value = try await body(CacheStoreSubject(store: store, prefix: "https://a.test/"))
            await store.close()
            return value
        } catch {
            await store.close()
            throw error
        }
    }

    /// Opens the store after another one was closed.
    ///
    /// A process that a test starts also holds the descriptor of the folder's lock between fork(2) and execve(2). The
    /// lock may therefore be held for a moment longer.
    private func reopen(limit: Int, entryLimit: Int?, countLimit: Int) async throws -> DiskCacheStore {
        for _ in 0..<1000 {
            do {
                return try open(limit: limit, entryLimit: entryLimit, countLimit: countLimit)
            } catch let error as SockeyeError where error.code == .badConfiguration {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        return try open(limit: limit, entryLimit: entryLimit, countLimit: countLimit)
    }

    /// The paths of all body files.
    var bodies: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: bodiesFolder)) ?? []
        return names.sorted().map { bodiesFolder + "/" + $0 }
    }

    /// The bytes that each file of the store occupies on the disk.
    var sizes: [String: Int] {
        var sizes: [String: Int] = [:]
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [] {
            var status = stat()
            if unsafe stat(folder + "/" + name, &status) == 0 { sizes[name] = Int(status.st_blocks) * 512 }
        }
        return sizes
    }

    var diskUsage: Int { sizes.values.reduce(0, +) }

    /// Returns the mode of a file of the store, or nil if the file does not exist.
    func mode(_ path: String) -> UInt32? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    /// Writes into a file without changing its length.
    func overwrite(_ path: String, at position: Int, with bytes: [UInt8]) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64(position))
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }
}
#endif
