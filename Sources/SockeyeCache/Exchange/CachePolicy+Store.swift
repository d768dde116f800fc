public import SockeyeCore
import SockeyeHTTP

extension CachePolicy {
    /// The storage of a ``CachePolicy``: ``CachePolicy/MemoryStore``, or your own.
    ///
    /// Your own may be a database, or a server that several processes share.
    ///
    /// A key is a URL without user information and fragment. Several responses may be stored under one key: variants
    /// (RFC 9111 4.1), and responses to different credentials. The store identifies a response by ``CachedResponse/id``
    /// and does not interpret it.
    ///
    /// A store may drop everything at any time. The cache treats as misses: thrown errors, responses with impossible
    /// values (such as a negative length), and pieces whose total length is not ``CachedResponse/bodyLength``. It
    /// removes a response if the content is missing or the pieces have another length. A stream of another length fails
    /// the call. After a thrown error the response remains. A store must not return content that was truncated or not
    /// committed.
    ///
    /// Many tasks call the methods of a store concurrently, and an HTTP call waits until a method returns. A method
    /// should therefore be quick, and react to cancellation while it waits. At the total deadline of the HTTP call the
    /// method is cancelled and not awaited.
    ///
    /// A minor version may add requirements, each with a default implementation made of the existing ones; see
    /// the article Stability of the module Sockeye.
    public protocol Store: Sendable {
        /// Returns all responses that are stored under a key, in any order.
        func responses(for key: String) async throws -> [CachedResponse]

        /// Returns the content of a stored response; nil if it was removed.
        func body(of response: CachedResponse, for key: String) async throws -> CachedResponse.Body?

        /// Begins to store a response. Its ``CachedResponse/bodyLength`` is not known yet.
        ///
        /// When the writer commits, the response replaces those under the same key for which
        /// ``CachedResponse/replaces(_:)`` returns true. If the key is removed before the commit, the response must not
        /// become visible: it may be older than the change that removed the key.
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
    /// follows. If ``write(_:)`` or ``commit()`` still waits at the total deadline of the call, its task is cancelled,
    /// and ``abandon()`` is called before the cancelled method returns.
    ///
    /// A minor version may add requirements, each with a default implementation made of the existing ones; see
    /// the article Stability of the module Sockeye.
    public protocol Writer: Sendable {
        /// Appends a piece of content. An error ends the storing, not the call.
        func write(_ piece: Bytes) async throws

        /// Completes the content. From now on the response may be served. Called at most once.
        func commit() async throws

        /// Releases everything that the writer still holds. Called at most once, and not after a successful
        /// ``commit()``. Must not wait.
        ///
        /// Incomplete content must never be served. Complete content may remain in the store if ``commit()`` has thrown
        /// after it was stored, for example when the task was cancelled.
        func abandon()
    }
}
