import COpenSSL

extension TLSEngine {
    /// Lets go of the room for a record that OpenSSL makes whenever it takes in a message such as a session ticket, in case
    /// it has to answer. It would keep that until the next write, and a connection that was used once and is idle has
    /// none: 16 KiB, nearly half of what it holds. Stays to be done while something else is in the buffers.
    func releaseBuffers() {
        let isDone = unsafe !Self.canReleaseBuffers || SSL_has_pending(ssl) == 0 && SSL_free_buffers(ssl) == 1
        if isDone { hooks.tookSession = false }
    }

    /// Earlier patch levels take a buffer away that holds a part of a record (CVE-2024-4741).
    private static let canReleaseBuffers: Bool = {
        let level = OPENSSL_version_patch()
        switch (OPENSSL_version_major(), OPENSSL_version_minor()) {
        case (3, 0): return level >= 14
        case (3, 1): return level >= 6
        case (3, 2): return level >= 2
        case (3, 3): return level >= 1
        default: return true
        }
    }()
}
