extension WebSocketConnection {
    /// What a connection offers, accepts and waits for.
    public struct Options: Sendable {
        /// Names of subprotocols to offer, the preferred first (RFC 6455 1.9). Default none.
        public var subprotocols: [String] = []
        /// Compression of messages (permessage-deflate, RFC 7692), if the server takes part. Default nil: not offered. It
        /// costs some 300 KiB of memory a connection, and time.
        public var compression: Compression?
        /// What a peer may send.
        public var limits = Limits()
        /// Pings that find out whether the peer is there. Nil: none; then only the system notices a peer that vanished, and
        /// waits for messages have no deadline.
        public var keepAlive: KeepAlive? = KeepAlive()
        /// How long the closing handshake may take, with everything before it that is not sent yet. Default 10 s.
        public var closeTimeout: Duration = .seconds(10)
        /// The largest payload of a frame sent. Pongs wait for the end of a frame. Default 1 MiB.
        public var fragmentSize = 1 << 20

        /// Makes the defaults named at each property.
        public init() {}

        /// Makes the defaults with some of them replaced.
        public init(
            subprotocols: [String] = [], compression: Compression? = nil, limits: Limits = Limits(),
            keepAlive: KeepAlive? = KeepAlive()
        ) {
            self.subprotocols = subprotocols
            self.compression = compression
            self.limits = limits
            self.keepAlive = keepAlive
        }
    }

    /// The most that a peer may send. Beyond it the connection fails with ``WebSocketError/Code-swift.struct/limitExceeded``,
    /// and the peer is told 1009.
    public struct Limits: Sendable, Hashable {
        /// The payload of one frame as it stands on the wire. No frame is ever kept whole, so that this guards nothing by
        /// itself. Default nil: up to 2^62.
        public var frameBytes: Int?
        /// A message that is read whole (``WebSocketConnection/messages``), decompressed. Default 16 MiB.
        public var messageBytes = 16 << 20
        /// A message that is read piece by piece (``WebSocketConnection/receive()``), decompressed. Default nil: any; a piece
        /// has at most 256 KiB.
        public var streamedBytes: Int?
        /// The bytes that are discarded unread: the rest of a message that its receiver did not read to the end, and all that
        /// comes between our Close frame and the peer's. Default 16 MiB.
        public var discardedBytes = 16 << 20

        /// Makes limits; each default is named at its property.
        public init(
            frameBytes: Int? = nil, messageBytes: Int = 16 << 20, streamedBytes: Int? = nil,
            discardedBytes: Int = 16 << 20
        ) {
            self.frameBytes = frameBytes
            self.messageBytes = messageBytes
            self.streamedBytes = streamedBytes
            self.discardedBytes = discardedBytes
        }
    }

    /// Pings that keep a connection, and the addresses that routers translate for it, alive (RFC 6455 5.5.2).
    public struct KeepAlive: Sendable, Hashable {
        /// After so much silence of the peer a ping is sent. Default 20 s.
        public var interval: Duration
        /// After so much further silence the connection fails with ``WebSocketError/Code-swift.struct/timeout``. Default 20 s.
        public var timeout: Duration

        /// Makes settings; each default is named at its property.
        public init(interval: Duration = .seconds(20), timeout: Duration = .seconds(20)) {
            self.interval = interval
            self.timeout = timeout
        }
    }

    /// What is offered of permessage-deflate (RFC 7692 7.1).
    public struct Compression: Sendable, Hashable {
        /// Messages of fewer bytes are sent as they are. Default 128. Those sent as a sequence are always compressed.
        public var minimumSize = 128
        /// zlib's level, 1 (fastest) to 9 (smallest); others count as the nearest of these. Default 6.
        public var level = 6
        /// Whether messages sent may refer to those before (context takeover): smaller for messages that resemble each other,
        /// for 256 KiB of memory between them. Default true.
        public var keepsOwnContext = true
        /// The same of messages received, for the server to keep to. Default true.
        public var keepsPeerContext = true
        /// The base-two logarithm of the window of messages sent, 9 to 15. Default 15.
        public var ownWindowBits = 15
        /// The same of messages received, 8 to 15, for the server to keep to. Default 15.
        public var peerWindowBits = 15

        /// Makes the defaults named at each property.
        public init() {}
    }
}

extension WebSocketConnection.Compression {
    /// The offer of a client.
    var wanted: DeflateAgreement {
        DeflateAgreement(client: own, server: peer)
    }

    /// The widest that a server takes.
    package var wantedByServer: DeflateAgreement {
        DeflateAgreement(client: peer, server: own)
    }

    private var own: DeflateDirection {
        DeflateDirection(windowBits: min(15, max(9, ownWindowBits)), keepsContext: keepsOwnContext)
    }

    private var peer: DeflateDirection {
        DeflateDirection(windowBits: min(15, max(8, peerWindowBits)), keepsContext: keepsPeerContext)
    }
}
