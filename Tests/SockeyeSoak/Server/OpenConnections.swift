import SockeyeNet
import Synchronization

/// The open connections of a server. A reload closes idle connections at once, and the others after their answers.
final class OpenConnections: Sendable {
    private struct Connection {
        let socket: SocketStream
        var isAnswering = false
        /// True if the connection has had a request. On a reload, servers keep a new connection open for its first
        /// request.
        var isUsed = false
        /// True if the connection closes after its next answer.
        var isLast = false
        var isAborted = false
    }

    private struct State {
        var connections: [Int: Connection] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    func add(_ socket: SocketStream) -> Int {
        state.withLock { state in
            state.next += 1
            state.connections[state.next] = Connection(socket: socket)
            return state.next
        }
    }

    func remove(_ id: Int) { state.withLock { $0.connections[id] = nil } }

    /// Records that an answer begins. Returns false if a reload has closed the connection.
    func begin(_ id: Int) -> Bool {
        state.withLock { state in
            state.connections[id]?.isAnswering = true
            state.connections[id]?.isUsed = true
            return state.connections[id]?.isAborted == false
        }
    }

    /// Records the end of an answer. Returns false if the connection has to close now.
    func end(_ id: Int) -> Bool {
        state.withLock { state in
            state.connections[id]?.isAnswering = false
            return state.connections[id]?.isLast == false
        }
    }

    /// Ends idle connections, and marks the others to close after their answers.
    func reload() {
        let idle = state.withLock { state in
            for id in state.connections.keys {
                state.connections[id]?.isLast = true
                if let connection = state.connections[id], connection.isUsed, !connection.isAnswering {
                    state.connections[id]?.isAborted = true
                }
            }
            return state.connections.values.filter(\.isAborted).map(\.socket)
        }
        for socket in idle { socket.abort() }
    }
}
