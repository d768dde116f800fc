import SockeyeNet
import Synchronization

/// The open connections of a server, with those that a reload is to close behind their answers.
final class OpenConnections: Sendable {
    private struct Connection {
        let socket: SocketStream
        var isAnswering = false
        var isOver = false
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

    /// Notes that a request is being answered. False if the connection was closed in the same moment.
    func begin(_ id: Int) -> Bool {
        state.withLock { state in
            state.connections[id]?.isAnswering = true
            return state.connections[id]?.isOver == false
        }
    }

    /// Notes the end of an answer. False if the connection is to be closed now.
    func end(_ id: Int) -> Bool {
        state.withLock { state in
            state.connections[id]?.isAnswering = false
            return state.connections[id]?.isOver == false
        }
    }

    /// Ends idle connections, and marks the others.
    func reload() {
        let idle = state.withLock { state in
            for id in state.connections.keys { state.connections[id]?.isOver = true }
            return state.connections.values.filter { !$0.isAnswering }.map(\.socket)
        }
        for socket in idle { socket.abort() }
    }
}
