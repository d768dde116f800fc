import Sockeye
import Testing

/// What keeps a request from ending, by where it gets stuck.
enum Obstacle: String, CaseIterable, Sendable {
    case pool, resolve, connect, tls
    /// The peer does not read.
    case send
    /// Nor does this one, and what it is sent is a file.
    case sendFile
    /// The caller's own body yields no more, and does not end when it is cancelled.
    case ignorantProducer
    case head, insideHead, body
    /// The body comes as fast as it can be read, and never ends.
    case endlessBody

    var phase: SockeyeError.Phase {
        switch self {
        case .pool: .pool
        case .resolve: .resolve
        case .connect: .connect
        case .tls: .tls
        case .send, .sendFile, .ignorantProducer: .send
        case .head, .insideHead: .head
        case .body, .endlessBody: .body
        }
    }

    /// Whether a connection is being opened. What opens it outlives the request, for whoever may want it next.
    var isDialling: Bool { [.resolve, .connect, .tls].contains(self) }
}
