import HTTPTypes
import Sockeye
public import SockeyeCache
import SockeyeCore

/// The contract between a `CachePolicy.Store` and its `CachePolicy`, as checks for the tests of a custom store. Each
/// case is one promise of the store.
///
/// ```swift
/// @Test(arguments: CacheStoreContract.allCases)
/// func promise(_ promise: CacheStoreContract) async throws {
///     try await promise.check(MyStore())
/// }
/// ```
///
/// A check stores at most a few dozen responses of at most 1 MiB each, under its own keys. Most of them are soon
/// replaced or removed, so one run of all checks never stores more than 8 MiB at a time. The store must have room for
/// 8 MiB and must not evict entries during the check. Checks may run concurrently on one store.
@nonexhaustive public enum CacheStoreContract: String, Sendable, CaseIterable {
    /// An entry is invisible until it is committed. An abandoned entry never becomes visible.
    case wholeOrNothing
    /// Content is read back byte for byte, whatever its size and the pieces in which it was written.
    case exactContent
    /// Any range of the content can be read.
    case ranges
    /// Heads are read back unchanged: every field, in order, with its original bytes.
    case exactHeads
    /// A newer response replaces the older responses under its key that answer the same requests
    /// (`CachedResponse.replaces(_:)`), and no others.
    case replacement
    /// Removed entries are no longer stored. All other entries remain stored.
    case removal
    /// An entry that is being written when its key is removed never becomes visible.
    case removalEndsWriting
    /// An update replaces the head and keeps the content; it does not recreate an entry that was removed.
    case update
    /// An unknown key has no responses, and an unknown entry has no content. Removing or updating an unknown entry has
    /// no effect. These calls do not throw.
    case unknown
    /// If an entry is removed while its content is read, the reader gets the rest of this content or an error. It never
    /// gets the content of another entry.
    case openContent
    /// With many concurrent tasks on few keys, a head is always served with its own content.
    case concurrency

    /// An error that describes a broken promise.
    public struct Violation: Error, CustomStringConvertible {
        /// The name of the promise and the behavior that violates it.
        public let description: String
    }

    /// Checks this promise.
    ///
    /// - Throws: A ``Violation``, or an error of the store.
    public func check(_ store: any CachePolicy.Store) async throws {
        let subject = CacheStoreSubject(store: store, promise: self)
        switch self {
        case .wholeOrNothing: try await subject.checkWholeOrNothing()
        case .exactContent: try await subject.checkExactContent()
        case .ranges: try await subject.checkRanges()
        case .exactHeads: try await subject.checkExactHeads()
        case .replacement: try await subject.checkReplacement()
        case .removal: try await subject.checkRemoval()
        case .removalEndsWriting: try await subject.checkRemovalEndsWriting()
        case .update: try await subject.checkUpdate()
        case .unknown: try await subject.checkUnknown()
        case .openContent: try await subject.checkOpenContent()
        case .concurrency: try await subject.checkConcurrency()
        }
    }
}
