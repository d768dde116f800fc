extension TLSConfiguration {
    /// A version of the protocol. Older ones are not offered (RFC 8996).
    public enum Version: Int, Sendable, Hashable, Comparable, CaseIterable, CustomStringConvertible {
        // The names as everybody writes these versions.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// TLS 1.2, RFC 5246.
        case v1_2 = 0x0303
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// TLS 1.3, RFC 8446.
        case v1_3 = 0x0304

        /// Older versions come first.
        public static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }

        /// `TLS 1.2` or `TLS 1.3`.
        public var description: String {
            switch self {
            case .v1_2: "TLS 1.2"
            case .v1_3: "TLS 1.3"
            }
        }
    }

    /// What must be true of a server's certificate. Everything but ``full`` gives an attacker in the middle a way in,
    /// unless ``TLSConfiguration/pinning`` closes it again.
    public enum Verification: Sendable, Hashable {
        /// The chain leads to a trusted root, nothing in it has expired, and the host is among the subject
        /// alternative names.
        case full
        /// As ``full``, but the certificate may be for any host. Dangerous: any holder of any trusted certificate can
        /// pose as the server.
        case chainOnly
        /// The host must match, but nobody has to vouch for the certificate, which may also have expired. Needs
        /// ``TLSConfiguration/pinning`` or ``TLSConfiguration/evaluate``, for a name that anybody can write proves nothing: without
        /// either every request fails. It is how a self-signed server is trusted by its pin.
        case hostNameOnly
        /// Anything goes. Dangerous: this connection protects from nobody who can touch the network.
        case none

        package var checksChain: Bool { self == .full || self == .chainOnly }
        package var checksHostName: Bool { self == .full || self == .hostNameOnly }
    }
}
