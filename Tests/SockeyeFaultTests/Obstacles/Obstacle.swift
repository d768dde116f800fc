import Sockeye
import Testing

/// The place where a request gets stuck.
enum Obstacle: String, CaseIterable, Sendable {
    case pool, resolve, connect, tls
    /// The peer does not read.
    case send
    /// The peer does not read, and the request body is a file.
    case sendFile
    /// The caller's body yields no more, and does not end when it is cancelled.
    case uncancellableProducer
    case head, insideHead, body
    /// The body arrives as fast as it can be read, and never ends.
    case endlessBody

    var phase: SockeyeError.Phase {
        switch self {
        case .pool: .pool
        case .resolve: .resolve
        case .connect: .connect
        case .tls: .tls
        case .send, .sendFile, .uncancellableProducer: .send
        case .head, .insideHead: .head
        case .body, .endlessBody: .body
        }
    }

    /// True if a connection is being opened. A dial outlives its request, for use by the next request.
    var isDialling: Bool { [.resolve, .connect, .tls].contains(self) }
}
