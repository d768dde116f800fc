extension WebSocketConnection {
    /// The options of a connection: offers, limits and time-outs.
    public struct Options: Sendable {
        /// The subprotocols to offer, the preferred first (RFC 6455 1.9). Default none.
        public var subprotocols: [String] = []
        /// The compression of messages (permessage-deflate, RFC 7692), if the server supports it. Default nil: not
        /// offered.
        ///
        /// Compression takes about 300 KiB of memory per connection, and CPU time.
        public var compression: Compression?
        /// The limits of received data.
        public var limits = Limits()
        /// The timing of pings, which detect a lost peer. Default: a ping after 20 s of silence, and 20 s for the pong.
        /// With nil no pings are sent: then only the kernel notices a lost peer, and receiving has no deadline.
        public var keepAlive: KeepAlive? = KeepAlive()
        /// The time limit of the closing handshake, including the sending of data that precedes it. Default 10 s.
        public var closeTimeout: Duration = .seconds(10)
        /// The largest payload of a sent frame in bytes. Default 1 MiB.
        ///
        /// Longer messages are sent in fragments, because pongs have to wait for the end of a frame.
        public var fragmentSize = 1 << 20

        /// Creates options with the defaults named at each property.
        public init() {}

        /// Creates options with some defaults replaced.
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

    /// The limits of received data. If one is exceeded, the connection fails with
    /// ``WebSocketError/Code-swift.struct/limitExceeded``, and this side sends Close with the code 1009 unless it has
    /// already sent Close.
    public struct Limits: Sendable, Hashable {
        /// The payload of one frame in bytes, before decompression. Default nil: up to 2^62.
        ///
        /// No frame is ever stored as a whole, so this limit does not save memory.
        public var frameBytes: Int?
        /// The size in bytes of a message that is received as a whole (``WebSocketConnection/messages``), decompressed.
        /// Default 16 MiB.
        public var messageBytes = 16 << 20
        /// The size in bytes of a message that is read piece by piece (``WebSocketConnection/receive()``),
        /// decompressed. Default nil: unlimited; a piece has at most 256 KiB.
        public var streamedBytes: Int?
        /// The number of bytes that may be discarded unread. Default 16 MiB.
        ///
        /// If the caller reads only the beginning of a message, the limit applies to the rest of that message, counted
        /// after decompression. It also applies to all data that arrives between this side's Close frame and the
        /// peer's: to the received bytes and, separately, to the decompressed ones.
        public var discardedBytes = 16 << 20

        /// Creates limits; each default is named at its property.
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

    /// The timing of pings (RFC 6455 5.5.2). They detect a lost peer, and keep routers from dropping the connection's
    /// address translation (NAT).
    public struct KeepAlive: Sendable, Hashable {
        /// The silence of the peer after which a ping is sent. Default 20 s.
        public var interval: Duration
        /// The further silence after which the connection fails with ``WebSocketError/Code-swift.struct/timeout``.
        /// Default 20 s.
        ///
        /// If the ping waits behind a large message, the time starts again whenever the peer accepts more bytes of that
        /// message. The time does not run while an incoming message waits for a receiver, because the pong may be
        /// behind that message.
        public var timeout: Duration

        /// Creates settings; each default is named at its property.
        public init(interval: Duration = .seconds(20), timeout: Duration = .seconds(20)) {
            self.interval = interval
            self.timeout = timeout
        }
    }

    /// The offered parameters of permessage-deflate (RFC 7692 7.1).
    public struct Compression: Sendable, Hashable {
        /// The size in bytes below which messages are sent uncompressed. Default 128. A message that is sent as a
        /// sequence of pieces is always compressed.
        public var minimumSize = 128
        /// zlib's level, 1 (fastest) to 9 (smallest); other values are clamped. Default 6.
        public var level = 6
        /// Lets sent messages refer to earlier ones (context takeover). Default true.
        ///
        /// Similar messages become smaller, at the cost of 256 KiB of memory between messages.
        public var keepsOwnContext = true
        /// Lets received messages refer to earlier ones. If false, the server is asked not to do so
        /// (server_no_context_takeover, RFC 7692 7.1.1.1). Default true.
        public var keepsPeerContext = true
        /// The base-two logarithm of the window size in bytes for sent messages, 9 to 15; other values are clamped.
        /// Default 15.
        public var ownWindowBits = 15
        /// The base-two logarithm of the window size in bytes for received messages, 8 to 15; other values are clamped.
        /// A value below 15 is requested of the server. Default 15.
        public var peerWindowBits = 15

        /// Creates settings with the defaults named at each property.
        public init() {}
    }
}

extension WebSocketConnection.Compression {
    /// The parameters that a client offers.
    var wanted: DeflateAgreement {
        DeflateAgreement(client: own, server: peer)
    }

    /// The limits of a server that uses these settings: the largest windows, and the directions in which context may be
    /// kept.
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
