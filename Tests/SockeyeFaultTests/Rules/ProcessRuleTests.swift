import Testing

/// RULE 57: what sockets must not do to the process around them. See RULES.md.
@Suite("Sockets and the process", .serialized)
struct ProcessRuleTests {
    @Test("writing to a peer that is gone is an error, not a signal", .timeLimit(.minutes(1)))
    func brokenPipe() async {
        await #expect(processExitsWith: .success) { try await BrokenPipe.run() }
    }

    @Test("no descriptor is handed on to a child process", .timeLimit(.minutes(1)))
    func inheritance() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await Inheritance.run()
        }
        if let result { print(String(decoding: result.standardErrorContent, as: UTF8.self)) }
    }
}
