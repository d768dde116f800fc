/// OpenSSL could not make what was asked of a ``TestCertificateAuthority``.
public struct TestCertificateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What failed, in OpenSSL's words where it has any.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
