import COpenSSL
import SockeyeCore
import SockeyePlatform
import Synchronization

/// An LRU cache of the sessions that servers have offered for resumption, at most ``capacity`` of them.
///
/// A resumed handshake verifies no certificate. So a session belongs to the context (and thereby to the verification
/// settings), to the server name verified in its first handshake, and to the text ``Key/key``. By that text, callers
/// keep the sessions of different ports and proxies apart. A session is not used after the certificates of its first
/// handshake have expired, even if the server has renewed the session since. TLS 1.3 sessions are used once (RFC 8446
/// C.4); early data is never sent.
package final class TLSSessionCache: Sendable {
    package struct Key: Sendable, Hashable {
        let context: UInt64
        let server: PeerName
        let key: BytewiseText
    }

    /// A session, and the evidence about the server from the session's first handshake. A connection that resumes the
    /// session takes over this evidence.
    struct Session: Sendable {
        let object: OpenSSLObject
        let evidence: TLSEvidence?
    }

    private struct State {
        /// The sessions of each key, newest last; more than one only for TLS 1.3.
        var entries = LRUCache<Key, [Session]>()
        var count = 0
    }

    package let capacity: Int
    /// The maximum number of sessions for one key. A TLS 1.3 session serves only one connection, so the limit is about
    /// as large as the number of connections that clients often open to one origin at once.
    private static let perKey = 32
    private let state = Mutex(State())
    private let time: @Sendable () -> Int

    /// - Parameter time: The clock, in seconds since 1970; nil for the system's.
    package init(capacity: Int = 256, time: (@Sendable () -> Int)? = nil) {
        self.capacity = max(1, capacity)
        self.time = time ?? { Int(SystemClock.unixTime) }
    }

    package var count: Int { state.withLock { $0.count } }

    package func removeAll() {
        // The sessions are released outside the lock.
        let dropped = state.withLock { state in
            defer { state = State() }
            return state
        }
        _ = dropped
    }

    /// Stores a session and takes over the caller's reference to it. Returns false if the session is not resumable; the
    /// caller then keeps its reference.
    func store(_ session: OpaquePointer, for key: Key, _ evidence: TLSEvidence? = nil) -> Bool {
        guard unsafe SSL_SESSION_is_resumable(session) == 1 else { return false }
        let isSingleUse = unsafe Self.isSingleUse(session)
        let object = Session(object: unsafe OpenSSLObject(session, release: SSL_SESSION_free), evidence: evidence)
        // Dropped sessions are released outside the lock.
        let dropped = state.withLock { state in
            var sessions = state.entries.remove(key) ?? []
            var dropped: [Session] = []
            if !isSingleUse { swap(&dropped, &sessions) }
            if sessions.count >= Self.perKey { dropped.append(sessions.removeFirst()) }
            sessions.append(object)
            state.entries.insert(sessions, for: key)
            state.count += 1 - dropped.count
            while state.count > capacity, let oldest = state.entries.removeOldest() {
                state.count -= oldest.value.count
                dropped += oldest.value
            }
            return dropped
        }
        _ = dropped
        return true
    }

    /// Returns the newest usable session for `key`. A session is usable if it is resumable and neither the session nor
    /// its evidence has expired. Removes the newer sessions, which are unusable. Also removes the returned session if
    /// it is one of TLS 1.3.
    func take(for key: Key) -> Session? {
        let now = time()
        // Dropped sessions are released outside the lock.
        let (found, dropped) = state.withLock { state -> (Session?, [Session]) in
            guard var sessions = state.entries.remove(key) else { return (nil, []) }
            defer { if !sessions.isEmpty { state.entries.insert(sessions, for: key) } }
            var dropped: [Session] = []
            while let session = sessions.last {
                let (isFresh, isSingleUse) = unsafe session.object.withPointer { pointer in
                    let age = unsafe now - Int(sockeye_session_time(pointer))
                    let isGood = session.evidence?.expiry.map { now < $0 } ?? true
                    let isYoung = unsafe isGood && age >= 0 && age < SSL_SESSION_get_timeout(pointer)
                    return unsafe (isYoung && SSL_SESSION_is_resumable(pointer) == 1, Self.isSingleUse(pointer))
                }
                if !isFresh || isSingleUse {
                    sessions.removeLast()
                    state.count -= 1
                }
                if isFresh { return (session, dropped) }
                dropped.append(session)
            }
            return (nil, dropped)
        }
        _ = dropped
        return found
    }

    private static func isSingleUse(_ session: OpaquePointer) -> Bool {
        unsafe SSL_SESSION_get_protocol_version(session) >= TLS1_3_VERSION
    }

    /// Removes all sessions for `key`, after a handshake that the server may have refused because of one of them.
    func remove(_ key: Key) {
        let dropped = state.withLock { state in
            let sessions = state.entries.remove(key) ?? []
            state.count -= sessions.count
            return sessions
        }
        _ = dropped
    }
}
