import SockeyeTestSupport
import Testing

/// Effects that sockets must not have on their process: signals and inherited descriptors.
@Suite("Sockets and the process", .serialized)
struct ProcessRuleTests {
    #if compiler(>=6.3)  // Exit tests accept values since this version (ST-0012).
    @Test("writing to a peer that is gone is an error, not a signal", .timeLimit(.minutes(1)))
    func brokenPipe() async {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run(BrokenPipe.run)
        }
    }

    @Test("a child process inherits no descriptor of the library", .timeLimit(.minutes(1)))
    func inheritance() async throws {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run(Inheritance.run)
        }
        child.show()
    }
    #endif
}
