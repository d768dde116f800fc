#if DiskCache
import Sockeye
@testable import SockeyeCache
import SockeyeDiskCache
import SockeyeTesting
import Testing

@Suite("The contract of cache stores", .timeLimit(.minutes(2))) struct StoreContractTests {
    enum Kind: String, CaseIterable, Sendable {
        case memory, disk
    }

    @Test(
        "a store in memory and one on disk keep every promise of the contract",
        arguments: Kind.allCases, CacheStoreContract.allCases)
    func contract(kind: Kind, promise: CacheStoreContract) async throws {
        switch kind {
        case .memory: try await promise.check(CachePolicy.MemoryStore(limit: 16 << 20))
        case .disk:
            let scene = try DiskCacheScene()
            let store = try scene.open()
            try await promise.check(store)
            await store.close()
            // Every body file belongs to an entry.
            try await scene.withStore { _ in }
            let files = scene.bodies.count
            try await scene.withStore { subject in #expect(files <= (subject.store as? DiskCacheStore)?.count ?? 0) }
        }
    }
}
#endif
