import SockeyeCore
import SockeyeHTTP
import Testing

@Suite("The state machine of a bearer token") struct BearerTokenMachineTests {
    private func time(_ seconds: Int) -> MonotonicTime { MonotonicTime.zero.advanced(by: .seconds(seconds)) }

    /// Returns the machine's action as text: `use 1`, `refresh` or `too many`.
    private func need(_ machine: inout BearerTokenMachine, at seconds: Int, refused: Int? = nil) -> String {
        switch machine.action(at: time(seconds), refused: refused) {
        case .use(let token): "use \(token.generation)"
        case .refresh: "refresh"
        case .tooMany: "too many"
        }
    }

    private func fetch(_ machine: inout BearerTokenMachine, at seconds: Int, lifetime: Int? = nil) {
        machine.refreshBegan(at: time(seconds))
        guard let field = EncodedField.authorization("Bearer x") else { return }
        _ = machine.refreshSucceeded(field, lifetime: lifetime.map { .seconds($0) }, at: time(seconds))
    }

    @Test("a token without an expiry is used until it is refused")
    func endless() {
        var machine = BearerTokenMachine(.init())
        #expect(need(&machine, at: 0) == "refresh" && machine.unlimited == nil)
        fetch(&machine, at: 0)
        #expect(need(&machine, at: 1_000_000) == "use 1" && machine.unlimited?.generation == 1)
        #expect(need(&machine, at: 1_000_000, refused: 1) == "refresh")
        fetch(&machine, at: 1_000_000)
        // Another request was refused with the old token.
        #expect(need(&machine, at: 1_000_001, refused: 1) == "use 2")
    }

    @Test(
        "a token is replaced before its expiry, but not before half of its lifetime",
        arguments: [(lifetime: 100, last: 69), (60, 29), (10, 4), (0, -1)])
    func leeway(lifetime: Int, last: Int) {
        var machine = BearerTokenMachine(.init())
        fetch(&machine, at: 100, lifetime: lifetime)
        if last >= 0 { #expect(need(&machine, at: 100 + last) == "use 1") }
        #expect(need(&machine, at: 100 + last + 1) == "refresh")
        #expect(machine.unlimited == nil)
    }

    @Test("the machine limits the refreshes within a window, including refreshes that failed")
    func window() {
        var machine = BearerTokenMachine(.init())
        for second in 0..<5 {
            #expect(need(&machine, at: second) == "refresh")
            machine.refreshBegan(at: time(second))
        }
        #expect(need(&machine, at: 29) == "too many")
        #expect(need(&machine, at: 30) == "refresh")
    }

    @Test("after too many refreshes, a token that one resource refused is still used for other requests")
    func refusedByOne() {
        var machine = BearerTokenMachine(.init())
        for second in 0..<5 { fetch(&machine, at: second) }
        #expect(need(&machine, at: 6, refused: 5) == "too many")
        #expect(need(&machine, at: 6) == "use 5")
        machine.markRejected(5)
        #expect(machine.unlimited == nil)
        #expect(need(&machine, at: 6) == "use 5")
        #expect(need(&machine, at: 60) == "refresh")
        machine.markRejected(4)
        fetch(&machine, at: 60)
        #expect(need(&machine, at: 61) == "use 6")
    }
}
