import SockeyeCore
import Testing

@testable import SockeyeHTTP

@Suite("The circuit breaker")
struct CircuitBreakerMachineTests {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000)
    private let origin = HTTPURL.Origin(scheme: .https, host: "a.example", port: 443)
    private let other = HTTPURL.Origin(scheme: .https, host: "b.example", port: 443)

    private func time(_ seconds: Int) -> MonotonicTime { Self.start.advanced(by: .seconds(seconds)) }

    private func machine(_ threshold: Int = 3, capacity: Int = 512) -> CircuitBreakerMachine {
        CircuitBreakerMachine(
            .init(threshold: threshold, window: .seconds(10), coolDown: .seconds(30)), capacity: capacity)
    }

    private func opened() -> CircuitBreakerMachine {
        var machine = machine()
        for second in 0..<3 { machine.fail(origin, at: time(second)) }
        return machine
    }

    @Test("the breaker opens after consecutive failures, and only for their origin")
    func opens() {
        var machine = opened()
        #expect(machine.admit(origin, at: time(2)) == .refused(until: time(32)))
        #expect(machine.isOpen(origin, at: time(31)))
        #expect(!machine.isOpen(origin, at: time(32)))
        #expect(machine.admit(other, at: time(2)) == .free)
    }

    @Test("the breaker stays closed if a success comes in between or the failures are far apart")
    func closed() {
        var machine = machine()
        for second in 0..<100 {
            machine.fail(origin, at: time(second))
            if second % 2 == 1 { machine.succeed(origin) }
        }
        #expect(machine.isClear)
        for second in stride(from: 100, to: 200, by: 5) { machine.fail(origin, at: time(second)) }
        #expect(machine.admit(origin, at: time(200)) == .free)
    }

    @Test("the breaker lets one request through after its cool-down and closes if that succeeds")
    func probe() {
        var machine = opened()
        #expect(machine.admit(origin, at: time(32)) == .probe(1))
        #expect(machine.admit(origin, at: time(32)) == .refused(until: time(62)))
        machine.succeed(origin, probe: 1)
        #expect(machine.isClear)
        #expect(machine.admit(origin, at: time(33)) == .free)
    }

    @Test("the breaker opens again if the probe fails")
    func failedProbe() {
        var machine = opened()
        #expect(machine.admit(origin, at: time(40)) == .probe(1))
        machine.fail(origin, probe: 1, at: time(45))
        #expect(machine.admit(origin, at: time(74)) == .refused(until: time(75)))
        #expect(machine.admit(origin, at: time(75)) == .probe(2))
    }

    @Test("the breaker lets another probe through if the first ended without a response or never reported")
    func lostProbe() {
        var machine = opened()
        #expect(machine.admit(origin, at: time(40)) == .probe(1))
        machine.abandon(origin, probe: 1, at: time(41))
        #expect(machine.admit(origin, at: time(41)) == .probe(2))
        #expect(machine.admit(origin, at: time(42)) == .refused(until: time(71)))
        #expect(machine.admit(origin, at: time(71)) == .probe(3))
    }

    @Test("while a probe is in progress, the results of other requests and of earlier probes change nothing")
    func notTheProbe() {
        for probe in [nil, 1] as [Int?] {
            for report: (inout CircuitBreakerMachine) -> Void in [
                { [origin] in $0.succeed(origin, probe: probe) },
                { [origin, at = time(72)] in $0.fail(origin, probe: probe, at: at) },
                { [origin, at = time(72)] in $0.abandon(origin, probe: probe, at: at) },
            ] {
                var machine = opened()
                #expect(machine.admit(origin, at: time(40)) == .probe(1))
                #expect(machine.admit(origin, at: time(70)) == .probe(2))
                report(&machine)
                #expect(machine.admit(origin, at: time(73)) == .refused(until: time(100)))
                machine.succeed(origin, probe: 2)
                #expect(machine.isClear)
            }
        }
    }

    @Test("requests that were running when the breaker opened neither close it nor keep it open longer")
    func late() {
        var machine = opened()
        machine.succeed(origin)
        machine.fail(origin, at: time(20))
        machine.abandon(origin, at: time(21))
        #expect(machine.admit(origin, at: time(21)) == .refused(until: time(32)))
    }

    @Test("`isOpen` does not change the state")
    func asking() {
        var machine = opened()
        #expect(!machine.isOpen(origin, at: time(50)))
        #expect(machine.admit(origin, at: time(50)) == .probe(1))
        #expect(machine.isOpen(origin, at: time(50)))
    }

    @Test("the breaker keeps a limited number of origins")
    func bounded() {
        var machine = machine(1, capacity: 8)
        for port in 1...1000 {
            machine.fail(HTTPURL.Origin(scheme: .http, host: "b.example", port: UInt16(port)), at: time(0))
            #expect(machine.count <= 8)
        }
        let latest = HTTPURL.Origin(scheme: .http, host: "b.example", port: 1000)
        #expect(machine.admit(latest, at: time(0)) == .refused(until: time(30)))
    }

    @Test("the breaker replaces negative settings by the smallest valid ones")
    func rules() {
        var machine = CircuitBreakerMachine(
            .init(threshold: -3, window: .seconds(-1), coolDown: .seconds(-1)))
        machine.fail(origin, at: time(0))
        #expect(machine.admit(origin, at: time(0)) == .probe(1))
    }
}
