import Sockeye
import SockeyeTesting
import Synchronization
import Testing

@testable import SockeyeCache

@Suite("The contract of cache stores", .timeLimit(.minutes(1))) struct CacheStoreContractTests {
    @Test("the store in memory keeps the contract", arguments: CacheStoreContract.allCases)
    func memory(promise: CacheStoreContract) async throws {
        try await promise.check(CachePolicy.MemoryStore(limit: 16 << 20))
    }

    @Test("the contract names the promise that a store breaks", arguments: BrokenStore.Fault.allCases)
    func broken(fault: BrokenStore.Fault) async throws {
        var broken: Set<CacheStoreContract> = []
        for promise in CacheStoreContract.allCases {
            do { try await promise.check(BrokenStore(fault)) } catch let violation as CacheStoreContract.Violation {
                #expect(violation.description.hasPrefix(promise.rawValue + ": "))
                broken.insert(promise)
            }
        }
        #expect(broken.isSuperset(of: fault.broken), "\(broken)")
    }
}

/// A store with one fault.
struct BrokenStore: CachePolicy.Store {
    enum Fault: String, CaseIterable, Sendable {
        case isVisibleEarly, dropsLastPiece, ignoresRanges, dropsRepeatedFields, replacesVariants, keepsRemoved
        case ignoresRemovalWhileWriting, forgetsUpdates, revives, looksUpByKey

        var broken: Set<CacheStoreContract> {
            switch self {
            case .isVisibleEarly: [.wholeOrNothing]
            case .dropsLastPiece: [.exactContent]
            case .ignoresRanges: [.ranges]
            case .dropsRepeatedFields: [.exactHeads]
            case .replacesVariants: [.replacement]
            case .keepsRemoved: [.removal]
            case .ignoresRemovalWhileWriting: [.removalEndsWriting]
            case .forgetsUpdates, .revives: [.update]
            case .looksUpByKey: [.openContent]
            }
        }
    }

    let fault: Fault
    private let store = CachePolicy.MemoryStore(limit: 64 << 20)

    init(_ fault: Fault) { self.fault = fault }

    func responses(for key: String) async throws -> [CachedResponse] {
        let found = store.responses(for: key)
        guard fault == .dropsRepeatedFields else { return found }
        return found.map { response in
            var response = response
            for name in Set(response.headers.map(\.name)) {
                response.headers[name] = response.headers[values: name].last
            }
            return response
        }
    }

    func body(of response: CachedResponse, for key: String) async throws -> CachedResponse.Body? {
        let body = store.body(of: response, for: key)
        switch (fault, body) {
        case (.ignoresRanges, .pieces(let pieces)):
            return .stream { _ in
                AsyncThrowingStream<Bytes, any Error> { stream in
                    for piece in pieces { stream.yield(piece) }
                    stream.finish()
                }
            }
        case (.looksUpByKey, .some):
            // The body is looked up at the first read, by the key alone.
            return .stream { [store] _ in
                AsyncThrowingStream<Bytes, any Error> { stream in
                    let last = store.responses(for: key).last.flatMap { store.body(of: $0, for: key) }
                    if case .pieces(let pieces) = last { for piece in pieces { stream.yield(piece) } }
                    stream.finish()
                }
            }
        default: return body
        }
    }

    func writer(for response: CachedResponse, key: String) async throws -> (any CachePolicy.Writer)? {
        if fault == .replacesVariants { store.removeAll(for: key) }
        return Writer(fault: fault, response: response, key: key, store: store)
    }

    func update(_ response: CachedResponse, for key: String) async throws {
        guard fault != .forgetsUpdates else { return }
        let isGone = !store.responses(for: key).contains { $0.id == response.id }
        if fault == .revives, isGone { try await store.writer(for: response, key: key)?.commit() }
        store.update(response, for: key)
    }

    func remove(_ response: CachedResponse, for key: String) async throws {
        if fault != .keepsRemoved { store.remove(response, for: key) }
    }

    func removeAll(for key: String) async throws { store.removeAll(for: key) }
}

/// Keeps content until it is committed.
private final class Writer: CachePolicy.Writer {
    private let fault: BrokenStore.Fault
    private let response: CachedResponse
    private let key: String
    private let store: CachePolicy.MemoryStore
    /// The store's writer, started at once so that a removal ends it; nil if the fault needs a later start.
    private let early: (any CachePolicy.Writer)?
    private let pieces = Mutex<[Bytes]>([])

    init(fault: BrokenStore.Fault, response: CachedResponse, key: String, store: CachePolicy.MemoryStore) {
        self.fault = fault
        self.response = response
        self.key = key
        self.store = store
        let isLate = fault == .ignoresRemovalWhileWriting || fault == .isVisibleEarly
        early = isLate ? nil : store.writer(for: response, key: key)
    }

    func write(_ piece: Bytes) async throws {
        pieces.withLock { $0.append(piece) }
        if fault == .isVisibleEarly { try await commit() }
    }

    func commit() async throws {
        guard let writer = early ?? store.writer(for: response, key: key) else { return }
        let pieces = pieces.withLock(\.self)
        for piece in fault == .dropsLastPiece ? pieces.dropLast() : pieces[...] { try await writer.write(piece) }
        try await writer.commit()
    }

    func abandon() { early?.abandon() }
}
