import Testing

@testable import SockeyeHTTP

@Suite("The limit and the pauses of retries")
struct RetryMachineTests {
    private func machine(_ limit: Int = 3) -> RetryMachine {
        RetryMachine(
            limit: limit, backoff: .exponential(base: .seconds(1), jitter: .none), maximumServerPause: .seconds(30))
    }

    @Test("the retries end at the limit", arguments: [(-1, 0), (0, 0), (1, 1), (3, 3)])
    func limit(limit: Int, retries: Int) {
        var machine = machine(limit)
        while machine.allows(.zero, remaining: nil) { machine.retry() }
        #expect(machine.count == retries)
        #expect(machine.isExhausted)
    }

    @Test(
        "the pause is the longer of backoff and Retry-After, and nil if Retry-After exceeds the limit",
        arguments: [
            (nil, .seconds(1)), (.zero, .seconds(1)), (.seconds(5), .seconds(5)), (.seconds(30), .seconds(30)),
            (.seconds(31), nil),
        ] as [(Duration?, Duration?)])
    func pauses(serverPause: Duration?, pause: Duration?) {
        #expect(machine().pause(serverPause: serverPause, random: 0) == pause)
    }

    @Test("pauses grow from retry to retry")
    func growth() {
        var machine = machine()
        machine.retry()
        machine.retry()
        #expect(machine.pause(serverPause: nil, random: 0) == .seconds(4))
    }

    @Test(
        "a pause that would last until the deadline of the call is refused",
        arguments: [(nil, true), (.seconds(2), true), (.seconds(1), false), (.zero, false)] as [(Duration?, Bool)])
    func deadline(remaining: Duration?, allowed: Bool) {
        #expect(machine().allows(.seconds(1), remaining: remaining) == allowed)
    }

    @Test("a call whose deadline has passed gets no retry, not even one without a pause")
    func over() {
        #expect(!machine().allows(.zero, remaining: .zero))
    }
}
