import Synchronization
package import Testing

/// A task that reads from a peer which never pauses.
package struct EndlessStream: Sendable {
    private let task: Task<Void, any Error>
    private let hasBegun: BegunFlag

    /// - Parameter read: Reads until the task is cancelled, and calls its parameter once something has come.
    package init(_ read: @escaping @Sendable (() -> Void) async throws -> Void) {
        let hasBegun = BegunFlag()
        self.hasBegun = hasBegun
        task = Task.detached { try await read { hasBegun.set() } }
    }

    /// Waits until all have begun, and checks that `request`, which has a deadline of its own, succeeds beside them, and that each
    /// ends within a second of its cancellation.
    ///
    /// - Parameter request: Tried up to three times, since the machine may be busy with other tests.
    package static func expectOthersToRun(
        beside streams: [EndlessStream], sourceLocation: SourceLocation = #_sourceLocation,
        _ request: () async throws -> Void
    ) async {
        await eventually("all streams", within: .seconds(10), sourceLocation: sourceLocation) {
            streams.allSatisfy(\.hasBegun.isSet)
        }
        var failure: (any Error)?
        for _ in 0..<3 {
            do {
                try await request()
                failure = nil
                break
            } catch {
                failure = error
            }
        }
        #expect(
            failure == nil, "the request beside them: \(String(describing: failure))", sourceLocation: sourceLocation)
        let clock = ContinuousClock()
        let start = clock.now
        for stream in streams { stream.task.cancel() }
        for stream in streams { _ = await stream.task.result }
        #expect(clock.now - start < .seconds(1), "the end of the streams", sourceLocation: sourceLocation)
    }
}

private final class BegunFlag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}
