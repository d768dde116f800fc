public import SockeyeCore
public import SockeyeHTTP

extension CachePolicy {
    /// Where a ``CachePolicy`` keeps responses: ``CachePolicy/MemoryStore``, or one of your own, such as a database or a server that
    /// several processes share.
    ///
    /// A key is a URL without user information and fragment. Several responses may be stored under one: variants (RFC 9111 4.1)
    /// and answers to different credentials. The store does not look into them, it finds them by ``CachedResponse/id``.
    ///
    /// A store may forget everything at any time, and is not trusted further than it has to be: what it throws, what cannot be
    /// what was stored, and content that is not as long as its response says is a miss. It must not hand out content that was not
    /// committed, or was cut. Its methods are called by many tasks at once; a call waits for them, so they should be quick, and
    /// heed cancellation where they wait.
    ///
    /// A minor version may add requirements, each with a default implementation made of the existing ones;
    /// see <doc:Stability>.
    public protocol Store: Sendable {
        /// The responses that are stored under a key, in any order.
        func responses(for key: String) async throws -> [CachedResponse]

        /// The content of one of them; nil where it is gone.
        func body(of response: CachedResponse, for key: String) async throws -> CachedResponse.Body?

        /// Begins to store a response, whose ``CachedResponse/bodyLength`` is not known yet. When it is committed it takes the place
        /// of those under the same key that it ``CachedResponse/replaces(_:)``. One whose key was removed in between must not
        /// become visible: it may be older than the change that removed it.
        ///
        /// - Returns: Nil where the store does not want it.
        func writer(for response: CachedResponse, key: String) async throws -> (any CachePolicy.Writer)?

        /// Gives a stored response another head; the content stays. Nothing happens where it is gone.
        func update(_ response: CachedResponse, for key: String) async throws

        /// Removes one response.
        func remove(_ response: CachedResponse, for key: String) async throws

        /// Removes all responses that are stored under a key.
        func removeAll(for key: String) async throws
    }
}

extension CachePolicy {
    /// Takes the content of a response on its way into a ``CachePolicy/Store``. One task at a time; exactly one of ``commit()`` and
    /// ``abandon()`` ends it.
    ///
    /// A minor version may add requirements, each with a default implementation made of the existing ones;
    /// see <doc:Stability>.
    public protocol Writer: Sendable {
        /// Takes the next piece. What it throws ends the storing, not the call.
        func write(_ piece: Bytes) async throws

        /// All of the content was written: from now on the response may be served.
        func commit() async throws

        /// The content has not come to its end. Nothing of it may ever be served. Must not wait.
        func abandon()
    }
}
