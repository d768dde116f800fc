import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import Synchronization

@testable import SockeyeEngine

/// A server in memory whose connections follow scripts, in the order in which they are opened. Connections beyond the
/// scripts are refused.
final class ScriptedServer: Sendable {
    /// The behavior of one connection.
    struct Script: Sendable {
        var text: String
        var ending: ScriptedStream.Ending
        var writes: [ScriptedStream.Write]
        var isEarly: Bool
        var isUnacknowledged: Bool

        init(
            _ text: String, then ending: ScriptedStream.Ending = .silence, writes: [ScriptedStream.Write] = [],
            isEarly: Bool = false, isUnacknowledged: Bool = false
        ) {
            self.text = text
            self.ending = ending
            self.writes = writes
            self.isEarly = isEarly
            self.isUnacknowledged = isUnacknowledged
        }
    }

    private struct State {
        /// The scripts of the next connections in reverse order.
        var scripts: [Script]
        var streams: [ScriptedStream] = []
    }

    private let state: Mutex<State>

    init(_ scripts: [Script]) {
        state = Mutex(State(scripts: scripts.reversed()))
    }

    convenience init(_ text: String, then ending: ScriptedStream.Ending = .silence) {
        self.init([Script(text, then: ending)])
    }

    /// The connections, in the order in which they were opened.
    var streams: [ScriptedStream] { state.withLock { $0.streams } }

    /// The bytes that each connection has received, as text.
    var requests: [String] { streams.map { String(decoding: $0.written, as: UTF8.self) } }

    /// Makes a transport whose connections lead to this server.
    ///
    /// - Parameter check: Called before each connection is opened; an error fails the dial.
    func transport(
        _ configuration: EngineConfiguration = EngineConfiguration(), time: TimeSource = .system,
        check: @escaping @Sendable (DialTarget) throws(SockeyeError) -> Void = { _ in }
    ) -> SocketTransport {
        SocketTransport(configuration: configuration, time: time) { target, poller throws(SockeyeError) in
            try check(target)
            do throws(TransportError) {
                guard let script = self.state.withLock({ $0.scripts.popLast() }) else { throw TransportError.closed }
                let stream = try ScriptedStream(
                    [Array(script.text.utf8)[...]], then: script.ending, writes: script.writes,
                    isEarly: script.isEarly, isUnacknowledged: script.isUnacknowledged, poller: poller)
                self.state.withLock { $0.streams.append(stream) }
                return stream
            } catch {
                throw SockeyeError(error, phase: .connect)
            }
        }
    }
}
