extension SocketOptions {
    /// HAProxy's PROXY protocol: a header at the start of a connection that tells a server behind proxies of TCP who connects
    /// (haproxy.org/download/3.0/doc/proxy-protocol.txt).
    public struct ProxyHeader: Sendable, Hashable {
        /// The forms of the header.
        @nonexhaustive public enum Version: Int, Sendable, Hashable {
            /// A line of text.
            case v1 = 1
            /// Bytes.
            case v2 = 2
        }

        /// The form of the header.
        public var version: Version
        /// Who is said to connect. Default nil: the connection's own address.
        public var source: EndpointAddress?

        /// The line of text (version 1). Over unix-domain sockets it says UNKNOWN.
        public static let v1 = SocketOptions.ProxyHeader(.v1)
        /// The bytes (version 2). Over unix-domain sockets they say LOCAL.
        public static let v2 = SocketOptions.ProxyHeader(.v2)

        /// Makes an option.
        ///
        /// - Parameters:
        ///   - version: The form of the header.
        ///   - source: Who is said to connect, for a client that passes requests on; of the family of the connection, else the header
        ///     says UNKNOWN or LOCAL. Default nil: the connection's own address.
        public init(_ version: Version, source: EndpointAddress? = nil) {
            self.version = version
            self.source = source
        }
    }
}
