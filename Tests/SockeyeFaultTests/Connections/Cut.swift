import Sockeye
import SockeyeTesting
import Testing

/// The point of an exchange at which a connection ends.
enum Cut: String, CaseIterable, Sendable {
    case beforeRead, beforeStatusLine, insideStatusLine, insideHead, afterInterim, afterHead, insideLength
    case insideChunkSize, insideChunk, betweenChunks, insideTrailers, untilClose

    /// The bytes sent before the end.
    var sent: String {
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        return switch self {
        case .beforeRead, .beforeStatusLine: ""
        case .insideStatusLine: "HTTP/1.1 20"
        case .insideHead: "HTTP/1.1 200 OK\r\nContent-Le"
        case .afterInterim: "HTTP/1.1 103 Early Hints\r\n\r\n"
        case .afterHead: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
        case .insideLength: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"
        case .insideChunkSize: chunked + "5\r\nhello\r\n1"
        case .insideChunk: chunked + "5\r\nhel"
        case .betweenChunks: chunked + "5\r\nhello\r\n"
        case .insideTrailers: chunked + "5\r\nhello\r\n0\r\nX-Sum: 1"
        case .untilClose: "HTTP/1.1 200 OK\r\n\r\nsome"
        }
    }

    var readsRequest: Bool { self != .beforeRead }

    func phases(_ ending: Ending) -> Set<SockeyeError.Phase> {
        switch self {
        case .beforeRead: ending == .reset ? [.connect, .send, .head] : [.send, .head]
        case .beforeStatusLine, .insideStatusLine, .insideHead, .afterInterim: [.head]
        default: [.body]
        }
    }
}

/// A way in which a connection ends.
enum Ending: String, CaseIterable, Sendable {
    /// FIN in both directions; over TLS after close_notify.
    case close
    /// FIN in the server's direction, while it continues to read; over TLS after close_notify.
    case halfClose
    /// FIN without close_notify.
    case cut
    case reset

    func end(_ peer: FaultServer.Peer) async throws {
        switch self {
        case .close:
            try await peer.connection.closeWrite()
            peer.connection.close()
        case .halfClose:
            try await peer.connection.closeWrite()
            try await peer.connection.discardToEnd()
        case .cut: peer.cut()
        case .reset: peer.connection.reset()
        }
    }

    /// True if this ending correctly ends a body that is delimited by the connection.
    func isOrderly(overTLS: Bool) -> Bool {
        switch self {
        case .close, .halfClose: true
        case .cut: !overTLS
        case .reset: false
        }
    }
}
