import Foundation
import SockeyeSoak
import SockeyeTestSupport
import Testing

/// Tests that need their own process, because they measure the whole process or limit its resources.
@Suite("Tests in a separate process", .serialized)
struct ExitTests {
    #if compiler(>=6.3)  // Exit tests accept values since this version (ST-0012).
    @Test(
        "calls to good and hostile servers cause no wrong byte, no hang and no leak",
        .timeLimit(.minutes(30)))
    func soak() async throws {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run {
                // `make soak` makes many more calls.
                let count = ProcessInfo.processInfo.environment["SOCKEYE_SOAK"].flatMap { Int($0) } ?? 2500
                try await SoakRun(count: count) { text in ChildProcess.say(text) }.run()
            }
        }
        child.show()
    }

    @Test("every way in which a connection can end leaves no descriptor behind", .timeLimit(.minutes(5)))
    func everyEnd() async throws {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run(EveryEnd.run)
        }
        child.show()
    }

    @Test("every way in which the upload of a file can end leaves no descriptor behind", .timeLimit(.minutes(2)))
    func fileEnds() async {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run(FileEnds.run)
        }
    }

    @Test(
        "a peer that closes in the middle of a file raises no signal, also if a part was sent", .timeLimit(.minutes(2))
    )
    func partialSending() async throws {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run(PartialSending.run)
        }
        child.show()
    }

    @Test("a process can exit in the middle of transfers over TLS", .timeLimit(.minutes(2)), arguments: 0..<5)
    func abruptEnd(_: Int) async {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run(AbruptEnd.run)
        }
    }

    @Test("running out of descriptors is a temporary error", .timeLimit(.minutes(2)))
    func exhaustion() async throws {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run(Exhaustion.run)
        }
        child.show()
    }

    @Test(
        "without free descriptors idle connections are closed, and errors of look-ups and files name the shortage",
        .timeLimit(.minutes(2)))
    func shortage() async throws {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run(Shortage.run)
        }
        child.show()
    }
    #endif

    /// The runs; `SOCKEYE_SHORTAGE_RUNS` sets their number, default 1.
    static let shortageRuns: Range<Int> = {
        let count = ProcessInfo.processInfo.environment["SOCKEYE_SHORTAGE_RUNS"].flatMap { Int($0) }
        return 0..<max(1, count ?? 1)
    }()

    #if compiler(>=6.3)  // Exit tests accept values since this version (ST-0012).
    @Test(
        "requests to thousands of origins leave a dozen descriptors free for other code",
        .timeLimit(.minutes(5)), arguments: shortageRuns)
    func crowd(_: Int) async throws {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run(Crowd.run)
        }
        child.show()
    }

    @Test("downloads wait for a descriptor for their files, as requests wait for connections", .timeLimit(.minutes(2)))
    func crowdOfDownloads() async throws {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run(Crowd.downloads)
        }
        child.show()
    }

    @Test("a client that was made without free descriptors works once there are some", .timeLimit(.minutes(2)))
    func beginning() async throws {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run(Shortage.beginning)
        }
        child.show()
    }

    @Test(
        "roots that cannot be opened for lack of descriptors cause an error that says so, and are loaded later",
        .timeLimit(.minutes(2))
    )
    func roots() async throws {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run(Shortage.roots)
        }
        child.show()
    }

    @Test(
        "if a file may not grow, the old file remains, the error says why, and no descriptor leaks",
        .timeLimit(.minutes(2))
    )
    func diskLimits() async throws {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run(DiskLimits.run)
        }
        child.show()
    }

    @Test("a thousand refused certificates cause a thousand errors and no leak", .timeLimit(.minutes(5)))
    func untrusted() async throws {
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") { [child = child as ChildProcess] in
            await child.run(Untrusted.run)
        }
        child.show()
    }
    #endif
}
