/// One reference to an OpenSSL object that OpenSSL itself counts and locks, given back with the last Swift reference.
// `@unchecked Sendable`: only for types whose use from several threads OpenSSL documents as safe once they are set up
// (SSL_CTX, X509_STORE, SSL_SESSION); an SSL is not one of them and never goes in here.
@safe final class OpenSSLObject: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let release: @Sendable (OpaquePointer) -> Void

    /// Takes over the caller's reference.
    init(_ pointer: OpaquePointer, release: @escaping @Sendable (OpaquePointer) -> Void) {
        unsafe self.pointer = unsafe pointer
        unsafe self.release = unsafe release
    }

    /// Calls `body` with the object, which lives at least until that returns. The pointer is not handed out otherwise:
    /// Swift gives a reference back after its last use, and that may be before a call that got only the pointer.
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
