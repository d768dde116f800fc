import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import Synchronization
import Testing

@testable import SockeyeEngine

@Suite("Pool: dials that hang", .timeLimit(.minutes(1))) struct PoolHangingDialTests {
    /// The dials of a transport, in the order of their start. Each lasts until the test ends it.
    private final class HeldDials: Sendable {
        private struct Dial: Sendable {
            let limits: PhaseLimits
            let end = OneShotEvent()
            var opens = false
        }

        private let dials = Mutex<[Dial]>([])

        var limits: [PhaseLimits] { dials.withLock { $0.map(\.limits) } }

        /// Ends a dial, with a connection or as timed out.
        func end(_ index: Int, opens: Bool) {
            let end = dials.withLock { dials in
                dials[index].opens = opens
                return dials[index].end
            }
            end.happen()
        }

        func transport(time: ManualTime) -> SocketTransport {
            SocketTransport(
                configuration: EngineConfiguration(), time: TimeSource(manual: time)
            ) { target, poller throws(SockeyeError) in
                let (index, end) = self.dials.withLock { dials in
                    let dial = Dial(limits: target.limits)
                    dials.append(dial)
                    return (dials.count - 1, dial.end)
                }
                await end.wait()
                guard self.dials.withLock({ $0[index].opens }) else {
                    throw SockeyeError.timeout(.connect, configured: target.limits.connect, name: "connect")
                }
                do throws(TransportError) {
                    return try ScriptedStream(
                        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", then: .silence, poller: poller)
                } catch {
                    throw SockeyeError(error, phase: .connect)
                }
            }
        }
    }

    private let dials = HeldDials()
    private let time = ManualTime()
    private let transport: SocketTransport

    init() {
        transport = dials.transport(time: time)
    }

    private func request(_ timeouts: Timeouts) throws -> Task<String, any Error> {
        var request = try OutgoingRequest(url: "http://a.test/")
        request.options.timeouts = timeouts
        return Task { [request, transport] in
            String(decoding: try await transport.send(request).body.collect(upTo: 100), as: UTF8.self)
        }
    }

    @Test("a request that is repeated after a time-out gets a dial of its own while the first dial hangs")
    func repeated() async throws {
        let first = try request(Timeouts(total: .seconds(2)))
        await eventually("a dial") { dials.limits.count == 1 }
        time.advance(by: .seconds(2))
        let error = await #expect(throws: SockeyeError.self) { try await first.value }
        #expect(error?.code == .timeout)
        let second = try request(Timeouts(total: .seconds(2)))
        await eventually("another dial") { dials.limits.count == 2 }
        dials.end(1, opens: true)
        #expect(try await second.value == "ok")
        dials.end(0, opens: false)
    }
}
