import SockeyeNet

extension CallMetrics.Connection {
    init(_ connection: OriginConnection, isReused: Bool) {
        self.isReused = isReused
        remoteAddress = connection.remoteAddress?.description
        tlsVersion = connection.tls?.version.description
        cipherSuite = connection.tls?.cipher
        isTLSResumed = connection.tls?.isResumed ?? false
        resolving = connection.timings.resolving
        connecting = connection.timings.connecting
        handshaking = connection.timings.handshaking
    }
}
