import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import Synchronization

@testable import SockeyeEngine

/// The dials of transports, in the order of their start. Each lasts until the test ends it.
final class HeldDials: Sendable {
    private struct Dial: Sendable {
        let limits: PhaseLimits
        let proxy: Proxy?
        let end = OneShotEvent()
        var script: ScriptedServer.Script?
        var stream: ScriptedStream?
    }

    private let dials = Mutex<[Dial]>([])

    /// The time limits of the dials.
    var limits: [PhaseLimits] { dials.withLock { $0.map(\.limits) } }

    /// The proxies to which the dials connect; nil for a direct connection.
    var proxies: [Proxy?] { dials.withLock { $0.map(\.proxy) } }

    /// The connection that a dial has opened.
    func stream(_ index: Int) -> ScriptedStream? { dials.withLock { $0[index].stream } }

    /// Ends a dial with a connection to a server that follows the script, or as timed out if the script is nil.
    func end(_ index: Int, with script: ScriptedServer.Script?) {
        let end = dials.withLock { dials in
            dials[index].script = script
            return dials[index].end
        }
        end.happen()
    }

    func transport(
        _ configuration: EngineConfiguration = EngineConfiguration(), time: ManualTime
    ) -> SocketTransport {
        SocketTransport(
            configuration: configuration, time: TimeSource(manual: time)
        ) { target, poller throws(SockeyeError) in
            let (index, end) = self.dials.withLock { dials in
                let dial = Dial(limits: target.limits, proxy: target.proxy)
                dials.append(dial)
                return (dials.count - 1, dial.end)
            }
            await end.wait()
            guard let script = self.dials.withLock({ $0[index].script }) else {
                throw SockeyeError.timeout(.connect, configured: target.limits.connect, name: "connect")
                    .reaching(target.proxy, at: .connect)
            }
            do throws(TransportError) {
                let stream = try ScriptedStream(
                    script.text, then: script.ending, writes: script.writes, poller: poller)
                self.dials.withLock { $0[index].stream = stream }
                return stream
            } catch {
                throw SockeyeError(error, phase: .connect)
            }
        }
    }
}
