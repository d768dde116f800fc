#if DiskCache
import Foundation
import SockeyeCache
import SockeyeCore
import SockeyeDiskCache
import SockeyeHTTP
import SockeyeTesting
import Testing

@Suite("Extreme numbers in the database of a cache", .serialized, .timeLimit(.minutes(2)))
struct RowNumberTests {
    private static let extremes = [
        "-9223372036854775808", "-1", "0", "1", "2147483648", "4294967295", "9007199254740993", "4611686018427387904",
        "9223372036854775743", "9223372036854775807", "1e300", "-1e300", "NULL", "''",
    ]

    private let scene: DiskCacheScene

    init() throws {
        scene = try DiskCacheScene()
    }

    @Test(
        "After an extreme number in a row, lookups do not fail, and new responses can be stored and removed",
        arguments: ["number", "used", "cost", "length", "inode", "changed"])
    func columns(column: String) async throws {
        for (index, number) in Self.extremes.enumerated() {
            for size in [1000, 100_000] {
                let name = "\(index)-\(size)"
                let response = try CacheStoreSubject.response(name)
                try await scene.withStore { subject in
                    try await subject.store(response, size, under: subject.key(name))
                }
                // Some columns refuse some values, which is fine.
                try? DatabaseTampering.run("UPDATE entry SET \(column) = \(number)", in: scene.database)
                try await scene.withStore { subject in
                    let key = subject.key(name)
                    if let found = try await subject.find(name, under: key) {
                        _ = try await subject.store.body(of: found, for: key)
                        try? await subject.store.update(found, for: key)
                        try? await subject.store.remove(found, for: key)
                    }
                    let new = subject.key("new \(name)")
                    try await subject.store(CacheStoreSubject.response("new"), size, under: new)
                    try await subject.demandStored("new", size, under: new)
                    try await subject.store.removeAll(for: new)
                }
            }
        }
    }
}
#endif
