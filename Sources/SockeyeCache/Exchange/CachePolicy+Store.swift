public import SockeyeCore
import SockeyeHTTP

extension CachePolicy {
    /// The storage of a ``CachePolicy``: ``CachePolicy/MemoryStore``, or your own, such as a database or a server that
    /// several processes share.
    ///
    /// A key is a URL without user information and fragment. Several responses may be stored under one key: variants
    /// (RFC 9111 4.1), and responses to different credentials. The store identifies a response by
    /// ``CachedResponse/id``, an opaque string.
    ///
    /// A store may drop everything at any time. It must not return content that was truncated or not committed. The
    /// cache handles faults of the store as follows:
    /// - An error thrown by a method that reads is a miss. The cache then removes nothing from the store.
    /// - A response with impossible values, such as a negative length, is a miss.
    /// - Missing content is a miss, and the cache removes the response. The same applies to
    ///   ``CachedResponse/Body/pieces(_:)`` if their total length is not ``CachedResponse/bodyLength``.
    /// - A ``CachedResponse/Body/stream(_:)`` of a length other than ``CachedResponse/bodyLength`` fails the HTTP call.
    ///
    /// Many tasks call the methods of a store concurrently, and an HTTP call waits until a method returns. A method
    /// should therefore be quick, and react to cancellation while it waits. If the HTTP call is cancelled, and at its
    /// total deadline, the cache cancels the method's task and does not await it. It only stops waiting for
    /// ``removeAll(for:)``, which continues.
    ///
    /// A minor version may add requirements, each with a default implementation that calls only older requirements; see
    /// the article Stability of the module Sockeye.
    public protocol Store: Sendable {
        /// Returns all responses that are stored under a key, in any order.
        func responses(for key: String) async throws -> [CachedResponse]

        /// Returns the content of a stored response; nil if it was removed.
        func body(of response: CachedResponse, for key: String) async throws -> CachedResponse.Body?

        /// Begins to store a response. Its ``CachedResponse/bodyLength`` is not known yet.
        ///
        /// When the writer commits, the response replaces those under the same key for which
        /// ``CachedResponse/replaces(_:)`` returns true. If the responses of the key are removed (``removeAll(for:)``)
        /// before the commit, the response must not become visible: it may be older than the change that led to the
        /// removal.
        ///
        /// - Returns: Nil if the store declines the response.
        func writer(for response: CachedResponse, key: String) async throws -> (any CachePolicy.Writer)?

        /// Replaces the head of a stored response and keeps the content; ignored if the response was removed.
        func update(_ response: CachedResponse, for key: String) async throws

        /// Removes one response.
        func remove(_ response: CachedResponse, for key: String) async throws

        /// Removes all responses that are stored under a key.
        func removeAll(for key: String) async throws
    }
}

extension CachePolicy {
    /// Receives the content of a response that a ``CachePolicy/Store`` is storing.
    ///
    /// Used by one task at a time. Either ``commit()`` or ``abandon()`` ends it. If ``commit()`` throws, ``abandon()``
    /// follows. Only ``abandon()`` may overlap with another method: if ``write(_:)`` or ``commit()`` still waits when
    /// the HTTP call is cancelled, or at its total deadline, the cache cancels that method's task. It then calls
    /// ``abandon()`` without awaiting the cancelled method.
    ///
    /// A minor version may add requirements, each with a default implementation that calls only older requirements; see
    /// the article Stability of the module Sockeye.
    public protocol Writer: Sendable {
        /// Appends a piece of content. An error ends the storing, not the call.
        func write(_ piece: Bytes) async throws

        /// Completes the content. From now on the response may be served. Called at most once.
        func commit() async throws

        /// Releases everything that the writer still holds. Called at most once, and not after a successful
        /// ``commit()``. Must not wait.
        ///
        /// Incomplete content must never be served. Complete content may remain in the store if ``commit()`` stored it
        /// but threw afterwards, for example because the task was cancelled.
        func abandon()
    }
}
