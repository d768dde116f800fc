import HTTPTypes
public import Sockeye
import SockeyeCore

/// What a `CachePolicy.Store` promises to its `CachePolicy`, as checks for the tests of a store of your own.
///
/// ```swift
/// @Test(arguments: CacheStoreContract.allCases)
/// func promise(_ promise: CacheStoreContract) async throws {
///     try await promise.check(MyStore())
/// }
/// ```
///
/// A check stores a few hundred responses of at most 1 MiB under keys of its own. The store must have room for 8 MiB, and not
/// forget meanwhile what it may forget at any other time. Checks may run side by side on one store.
@nonexhaustive public enum CacheStoreContract: String, Sendable, CaseIterable {
    /// Nothing is in sight before it is committed, and never what was abandoned.
    case wholeOrNothing
    /// Content comes back byte for byte, whatever its size and the pieces that it came in.
    case exactContent
    /// Any range of the content can be had.
    case ranges
    /// Heads come back as they were: every field, in order, with the bytes that it had.
    case exactHeads
    /// A newer answer takes the place of the older one to the same requests, and of no other.
    case replacement
    /// What was removed is gone; what was not is there.
    case removal
    /// What is being written when its key is removed never becomes visible.
    case removalEndsWriting
    /// An update changes a head and leaves the content; of what is gone it makes nothing.
    case update
    /// What was never stored is nil and no error.
    case unknown
    /// Content that is being read when its entry goes comes to its end, or fails: it is never another one's.
    case openContent
    /// Many tasks at once, on few keys: what is served is always a head with its own content.
    case concurrency

    /// A promise that was broken.
    public struct Violation: Error, CustomStringConvertible {
        /// Which one, and how.
        public let description: String
    }

    /// Checks the promise.
    ///
    /// - Throws: A ``Violation``, or what the store throws.
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
