/// A setting of TLS that is malformed, told where it is given: a pin, a folder of pinned certificates, a pattern of hosts.
public struct TLSConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with which text or file.
    public let description: String

    package init(_ description: String) {
        self.description = description
    }
}
