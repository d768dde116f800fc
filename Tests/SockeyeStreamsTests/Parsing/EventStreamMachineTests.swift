import SockeyeHTTP
import SockeyeStreams
import Testing

@Suite("Reconnections of event streams") struct EventStreamMachineTests {
    private func opened(_ change: (inout ServerSentEvent.Reconnection) -> Void = { _ in }) -> EventStreamMachine {
        var rules = ServerSentEvent.Reconnection()
        rules.backoff = .exponential(base: .seconds(1), cap: .seconds(8), jitter: .none)
        change(&rules)
        var machine = EventStreamMachine(rules)
        #expect(machine.answered(status: 200, isEventStream: true) == .open)
        return machine
    }

    @Test(
        "only 200 with the right type opens a stream, and 204 ends it, on the first and on later connections",
        arguments: [
            (200, true, .open), (200, false, .refuse), (204, false, .end), (204, true, .end), (206, true, .refuse),
            (304, true, .refuse), (404, true, .refuse), (500, true, .refuse), (503, false, .refuse),
        ] as [(Int, Bool, EventStreamMachine.Answer)])
    func answers(status: Int, isEventStream: Bool, answer: EventStreamMachine.Answer) {
        var first = EventStreamMachine(ServerSentEvent.Reconnection())
        #expect(first.answered(status: status, isEventStream: isEventStream) == answer)
        var later = opened()
        _ = later.lost(.ended, isOpen: true, random: 0)
        #expect(later.answered(status: status, isEventStream: isEventStream) == answer)
    }

    @Test("errors of the first connection reach the caller, and later errors only if they are permanent")
    func failures() {
        var first = EventStreamMachine(ServerSentEvent.Reconnection())
        #expect(first.lost(.failed(isTransient: true), isOpen: false, random: 0) == .fail)
        var later = opened()
        #expect(later.lost(.failed(isTransient: false), isOpen: true, random: 0) == .fail)
        #expect(later.lost(.failed(isTransient: true), isOpen: true, random: 0) == .reconnect(after: .seconds(4)))
    }

    @Test("without reconnection rules a stream ends with its response", arguments: [false, true])
    func withoutRules(hasOpened: Bool) {
        var machine = EventStreamMachine(nil)
        if hasOpened { _ = machine.answered(status: 200, isEventStream: true) }
        #expect(machine.lost(.ended, isOpen: true, random: 0) == .end)
        #expect(machine.lost(.failed(isTransient: true), isOpen: true, random: 0) == .fail)
    }

    @Test(
        "the reconnection time of the server, up to the limit, is the shortest pause",
        arguments: [
            (nil, .seconds(3)), (.zero, .zero), (.milliseconds(20), .milliseconds(20)), (.seconds(60), .seconds(60)),
            (.seconds(3600), .seconds(3600)), (.milliseconds(1_000_000_000_000_000), .seconds(3600)),
        ] as [(Duration?, Duration)])
    func pause(retry: Duration?, asked: Duration) {
        var machine = opened { $0.backoff = .exponential(base: .seconds(1), jitter: .full) }
        machine.received(lastEventID: "", retry: retry)
        var other = machine
        #expect(machine.lost(.ended, isOpen: true, random: 0) == .reconnect(after: asked))
        #expect(other.lost(.ended, isOpen: true, random: 0.5) == .reconnect(after: asked + .milliseconds(500)))
    }

    @Test("pauses grow while connections deliver nothing, and restart with the first byte")
    func backoff() {
        var machine = opened { $0.pause = .zero }
        var pauses: [EventStreamMachine.NextStep] = []
        for _ in 0..<6 {
            pauses.append(machine.lost(.ended, isOpen: true, random: 0))
            _ = machine.answered(status: 200, isEventStream: true)
        }
        #expect(pauses == [1, 2, 4, 8, 8, 8].map { .reconnect(after: .seconds($0)) })
        machine.received(lastEventID: "1", retry: nil)
        #expect(machine.lost(.ended, isOpen: true, random: 0) == .reconnect(after: .seconds(1)))
    }

    @Test("a limited number of consecutive attempts may fail, and each response restarts the count", arguments: [1, 3])
    func attempts(limit: Int) {
        var machine = opened { $0.attempts = limit }
        for _ in 0..<3 {
            guard case .reconnect = machine.lost(.ended, isOpen: true, random: 0) else {
                Issue.record("the machine does not reconnect")
                return
            }
            for _ in 1..<limit {
                guard case .reconnect = machine.lost(.failed(isTransient: true), isOpen: false, random: 0) else {
                    Issue.record("the machine gives up before the limit of attempts")
                    return
                }
            }
            _ = machine.answered(status: 200, isEventStream: true)
        }
        for _ in 1..<limit { _ = machine.lost(.failed(isTransient: true), isOpen: false, random: 0) }
        #expect(machine.lost(.failed(isTransient: true), isOpen: false, random: 0) == .fail)
    }

    @Test("a stream without events that is cut repeatedly reconnects without limit")
    func quiet() {
        var machine = opened()
        for _ in 0..<1000 {
            #expect(machine.lost(.ended, isOpen: true, random: 0) != .end)
            #expect(machine.answered(status: 200, isEventStream: true) == .open)
        }
    }

    @Test(
        "the last event ID is sent only if a field can hold it",
        arguments: [
            ("", nil), ("1", "1"), ("a b", "a b"), ("ä", "ä"), ("a\u{1}", nil), ("\u{7F}", nil), ("a\tb", "a\tb"),
        ])
    func ids(id: String, field: String?) {
        var machine = opened()
        machine.received(lastEventID: id, retry: nil)
        #expect(machine.lastEventID == id)
        #expect(machine.lastEventIDField == field)
    }
}
