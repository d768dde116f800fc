import Foundation
import Testing

/// What must have a process of its own: it measures the whole process, or takes something away from it.
@Suite("In a process of its own", .serialized)
struct ExitTests {
    @Test(
        "a mix of requests, faults and cancellations leaves no descriptor, no waiter and no memory behind",
        .timeLimit(.minutes(30)))
    func soak() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await Soak.run()
        }
        if let result { print(String(decoding: result.standardErrorContent, as: UTF8.self)) }
    }

    @Test("every way in which a connection can end leaves no descriptor behind", .timeLimit(.minutes(5)))
    func everyEnd() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await EveryEnd.run()
        }
        if let result { print(String(decoding: result.standardErrorContent, as: UTF8.self)) }
    }

    @Test("every way in which the upload of a file can end leaves no descriptor behind", .timeLimit(.minutes(2)))
    func fileEnds() async {
        await #expect(processExitsWith: .success) { try await FileEnds.run() }
    }

    @Test(
        "a peer who closes in the middle of a file raises no signal, also when a part was sent", .timeLimit(.minutes(2))
    )
    func partialSending() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await PartialSending.run()
        }
        if let result { print(String(decoding: result.standardErrorContent, as: UTF8.self)) }
    }

    @Test("a process may end in the middle of transfers over TLS", .timeLimit(.minutes(2)), arguments: 0..<5)
    func abruptEnd(_: Int) async {
        await #expect(processExitsWith: .success) { try await AbruptEnd.run() }
    }

    @Test("running out of descriptors is an error that passes", .timeLimit(.minutes(2)))
    func exhaustion() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await Exhaustion.run()
        }
        if let result { print(String(decoding: result.standardErrorContent, as: UTF8.self)) }
    }

    @Test(
        "files that may not grow leave the old ones, an error that says why, and no descriptor", .timeLimit(.minutes(2))
    )
    func diskLimits() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await DiskLimits.run()
        }
        if let result { print(String(decoding: result.standardErrorContent, as: UTF8.self)) }
    }

    @Test("a thousand refused certificates are a thousand errors and no leak", .timeLimit(.minutes(5)))
    func untrusted() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await Untrusted.run()
        }
        if let result { print(String(decoding: result.standardErrorContent, as: UTF8.self)) }
    }
}

/// A condition of a child process that did not hold.
struct Unmet: Error {
    let what: String

    init(_ what: String) {
        self.what = what
        report("unmet: \(what)")
    }
}

/// Says something to the parent, which shows it.
func report(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
}

func demand(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw Unmet(what()) }
}
