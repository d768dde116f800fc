import SockeyeCore
import Testing

@testable import SockeyeHTTP

@Suite("The retry budget")
struct RetryBudgetMachineTests {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000)
    private let origin = HTTPURL.Origin(scheme: .https, host: "a.example", port: 443)

    private func time(_ seconds: Double) -> MonotonicTime { Self.start.advanced(by: .seconds(seconds)) }

    private func taken(_ machine: inout RetryBudgetMachine, of origin: HTTPURL.Origin? = nil, at seconds: Double) -> Int
    {
        var count = 0
        while count < 10_000, machine.withdraw(for: origin ?? self.origin, at: time(seconds)) { count += 1 }
        return count
    }

    private func deposit(_ count: Int, _ machine: inout RetryBudgetMachine) throws {
        let url = try HTTPURL("https://a.example/x")
        for _ in 0..<count { machine.deposit(for: url, at: time(0)) }
    }

    @Test(
        "the budget allows a percentage of the recent requests as retries",
        arguments: [(0.0, 1000, 0), (20, 1000, 200), (20, 4, 0), (20, 5, 1), (100, 7, 7), (150, 10, 15), (-5, 1000, 0)])
    func share(percent: Double, requests: Int, retries: Int) throws {
        var machine = RetryBudgetMachine(percent: percent, perSecond: 0)
        try deposit(requests, &machine)
        #expect(taken(&machine, at: 1) == retries)
        #expect(taken(&machine, at: 1) == 0)
    }

    @Test(
        "a budget of infinitely many retries still has retries after pauses",
        arguments: [Double.infinity, .greatestFiniteMagnitude])
    func infiniteShare(percent: Double) throws {
        var machine = RetryBudgetMachine(percent: percent, perSecond: 0)
        for seconds in [0.0, 1, 100] {
            try deposit(1, &machine)
            for pause in [0.0, 1] { #expect(machine.withdraw(for: origin, at: time(seconds + pause)) == true) }
        }
    }

    @Test("the budget allows some free retries per second, and at most those of ten seconds at once")
    func reserve() throws {
        var machine = RetryBudgetMachine(percent: 0, perSecond: 2)
        try deposit(1, &machine)
        #expect(taken(&machine, at: 0) == 20)
        #expect(taken(&machine, at: 1) == 2)
        #expect(taken(&machine, at: 3.5) == 5)
        #expect(taken(&machine, at: 1000) == 20)
    }

    @Test("of requests spread over a long time, only the share of the last ten seconds counts")
    func spread() throws {
        var machine = RetryBudgetMachine(percent: 20, perSecond: 0)
        try deposit(10_000, &machine)
        #expect(taken(&machine, at: 100) == 200)
    }

    @Test("unused retries expire")
    func decay() throws {
        var machine = RetryBudgetMachine(percent: 20, perSecond: 0)
        try deposit(505, &machine)
        #expect(machine.withdraw(for: origin, at: time(1)) == true)
        #expect(taken(&machine, at: 6) == 50)
        try deposit(500, &machine)
        #expect(machine.withdraw(for: origin, at: time(7)) == true)
        #expect(taken(&machine, at: 17) == 0)
    }

    @Test("each origin has its own budget, and the number of origins is limited")
    func origins() throws {
        var machine = RetryBudgetMachine(percent: 100, perSecond: 0, capacity: 8)
        try deposit(3, &machine)
        let other = HTTPURL.Origin(scheme: .http, host: "a.example", port: 443)
        #expect(taken(&machine, of: other, at: 0) == 0)
        #expect(taken(&machine, at: 0) == 3)
        for port in 1...1000 {
            machine.deposit(for: try HTTPURL("http://b.example:\(port)/"), at: time(0))
            #expect(machine.count <= 8)
        }
    }

    @Test("a clock that goes back or stands still does not reduce the budget")
    func clock() throws {
        var machine = RetryBudgetMachine(percent: 20, perSecond: 1)
        try deposit(100, &machine)
        #expect(machine.withdraw(for: origin, at: MonotonicTime(nanoseconds: 0)) == true)
        #expect(taken(&machine, at: 0) == 29)
    }
}
