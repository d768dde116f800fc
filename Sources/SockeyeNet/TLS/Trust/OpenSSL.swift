import COpenSSL

/// The entries of the current thread's OpenSSL error queue, oldest first (ERR_get_error(3)).
///
/// The queue is thread-local, and a task may continue on another thread. Callers therefore clear the queue before every
/// OpenSSL call that may fail, and drain it right after the call, without a suspension in between.
struct OpenSSLErrors {
    struct Entry {
        let library: Int32
        let reason: Int32
        let text: String
    }

    private(set) var entries: [Entry] = []

    /// Removes and returns all entries of the queue.
    static func drain() -> OpenSSLErrors {
        var errors = OpenSSLErrors()
        var data: UnsafePointer<CChar>?
        var flags: Int32 = 0
        while true {
            let code = unsafe ERR_get_error_all(nil, nil, nil, &data, &flags)
            guard code != 0 else { return errors }
            let reason = ERR_GET_REASON(code)
            var text = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) } ?? "reason \(reason)"
            if flags & ERR_TXT_STRING != 0, let data = unsafe data, unsafe data.pointee != 0 {
                text += unsafe " (\(String(cString: data)))"
            }
            errors.entries.append(Entry(library: ERR_GET_LIB(code), reason: reason, text: text))
        }
    }

    static func clear() {
        ERR_clear_error()
    }

    /// Returns true if an entry has this `SSL_R_` reason and comes from libssl. Reasons of OpenSSL's other parts may
    /// have the same number.
    func contains(_ reason: Int32) -> Bool {
        entries.contains { $0.library == ERR_LIB_SSL && $0.reason == reason }
    }

    /// The entries as one line, without repetitions.
    var text: String {
        var texts: [String] = []
        for entry in entries where !texts.contains(entry.text) { texts.append(entry.text) }
        return texts.isEmpty ? "no detail from OpenSSL" : texts.joined(separator: ", ")
    }

    /// The number of the alert that the peer sent (RFC 8446 6.2), if the alert caused the failure.
    var peerAlert: Int32? {
        // OpenSSL's reason for a received alert is 1000 plus the alert's number.
        entries.lazy
            .filter { $0.library == ERR_LIB_SSL && $0.reason >= SSL_AD_REASON_OFFSET }
            .map { $0.reason - SSL_AD_REASON_OFFSET }
            .first { $0 <= 255 }
    }
}

/// A counted reference to an OpenSSL object, released with the last Swift reference.
// `@unchecked Sendable`: wraps only types that OpenSSL documents as thread-safe after their set-up (SSL_CTX,
// X509_STORE, SSL_SESSION), and stacks that no longer change. An SSL is not thread-safe and must not be wrapped.
@safe final class OpenSSLObject: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let release: @Sendable (OpaquePointer) -> Void

    /// Takes over the caller's reference.
    init(_ pointer: OpaquePointer, release: @escaping @Sendable (OpaquePointer) -> Void) {
        unsafe self.pointer = unsafe pointer
        unsafe self.release = unsafe release
    }

    /// Calls `body` with the object, which lives at least until `body` returns.
    ///
    /// The pointer is available only in `body`, because Swift may release an object right after the last use of the
    /// reference to it. An OpenSSL call could then still be using the pointer.
    func withPointer<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try unsafe body(pointer)
    }

    deinit {
        unsafe release(pointer)
    }
}
