extension SocketOptions {
    /// The header of HAProxy's PROXY protocol (haproxy.org/download/3.0/doc/proxy-protocol.txt). Sent at the start of a
    /// connection, the header tells a server behind TCP proxies the client's address.
    public struct ProxyHeader: Sendable, Hashable {
        /// The forms of the header.
        @nonexhaustive public enum Version: Int, Sendable, Hashable {
            /// A line of text (version 1).
            case v1 = 1
            /// A binary header (version 2).
            case v2 = 2
        }

        /// The form of the header.
        public var version: Version
        /// The client address in the header. Default nil: the connection's own address.
        public var source: EndpointAddress?

        /// The text form (version 1). Over unix-domain sockets it says UNKNOWN.
        public static let v1 = SocketOptions.ProxyHeader(.v1)
        /// The binary form (version 2). Over unix-domain sockets it says LOCAL.
        public static let v2 = SocketOptions.ProxyHeader(.v2)

        /// Creates an option.
        ///
        /// - Parameters:
        ///   - version: The form of the header.
        ///   - source: The client address in the header, for a client that forwards requests of other clients. If the
        ///     address family differs from the connection's, the header says UNKNOWN (version 1) or LOCAL (version 2).
        ///     Default nil: the connection's own address.
        public init(_ version: Version, source: EndpointAddress? = nil) {
            self.version = version
            self.source = source
        }
    }
}
