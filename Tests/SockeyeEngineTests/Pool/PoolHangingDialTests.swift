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
            var answer: String?
        }

        private let dials = Mutex<[Dial]>([])

        var limits: [PhaseLimits] { dials.withLock { $0.map(\.limits) } }

        /// Ends a dial with a connection to a server that sends this answer, or as timed out if the answer is nil.
        func end(_ index: Int, answer: String?) {
            let end = dials.withLock { dials in
                dials[index].answer = answer
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
                guard let answer = self.dials.withLock({ $0[index].answer }) else {
                    throw SockeyeError.timeout(.connect, configured: target.limits.connect, name: "connect")
                }
                do throws(TransportError) {
                    return try ScriptedStream(answer, then: .silence, poller: poller)
                } catch {
                    throw SockeyeError(error, phase: .connect)
                }
            }
        }
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

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
        dials.end(1, answer: Self.ok)
        #expect(try await second.value == "ok")
        dials.end(0, answer: nil)
    }

    @Test("a request fails by its own connect deadline while an earlier request without one waits for its dial")
    func ownDeadline() async throws {
        let patient = try request(Timeouts(connect: .unlimited))
        await eventually("a dial") { dials.limits.count == 1 }
        let hasty = try request(Timeouts(connect: .seconds(1)))
        await eventually("another dial") { dials.limits.count == 2 }
        #expect(dials.limits.map(\.connect) == [.seconds(600), .seconds(1)])
        dials.end(1, answer: nil)
        let error = await #expect(throws: SockeyeError.self) { try await hasty.value }
        #expect(error?.code == .timeout && error?.phase == .connect)
        #expect(transport.pool.statistics.waiting == 1)
        dials.end(0, answer: Self.ok)
        #expect(try await patient.value == "ok")
    }

    @Test("a request whose dial served an older request waits for another connection up to its pool deadline")
    func poolDeadline() async throws {
        let older = try request(Timeouts(head: .unlimited))
        await eventually("a dial") { dials.limits.count == 1 }
        let younger = try request(Timeouts(pool: .seconds(5)))
        await eventually("another dial") { dials.limits.count == 2 }
        dials.end(1, answer: "")
        await eventually("a connection in use") { transport.pool.statistics.leased == 1 }
        time.advance(by: .seconds(5))
        let error = await #expect(throws: SockeyeError.self) { try await younger.value }
        #expect(error?.code == .timeout && error?.phase == .pool)
        older.cancel()
        await #expect(throws: SockeyeError.self) { try await older.value }
        dials.end(0, answer: nil)
    }
}
