import Synchronization

/// A task that reads from a peer that never pauses.
package struct EndlessStream: Sendable {
    private let task: Task<Void, any Error>
    private let hasBegun: BegunFlag

    /// Starts the task.
    ///
    /// - Parameter read: Reads until the task is cancelled, and calls its parameter once data has arrived.
    package init(_ read: @escaping @Sendable (() -> Void) async throws -> Void) {
        let hasBegun = BegunFlag()
        self.hasBegun = hasBegun
        task = Task.detached { try await read { hasBegun.set() } }
    }

    /// Waits until all streams have begun. Then demands that `request`, which has its own deadline, succeeds while they
    /// run, and that each stream ends within a second of its cancellation. If other processes keep the machine busy,
    /// the limit is three seconds of CPU time; a task that ignores cancellation uses more.
    ///
    /// Call it in a separate process (``ChildProcess``), because other tests would keep the threads of the cooperative
    /// pool busy.
    ///
    /// - Parameter request: The request, tried up to ten times, because other processes may keep the machine busy.
    package static func demandOthersToRun(
        beside streams: [EndlessStream], _ request: () async throws -> Void
    ) async throws {
        let clock = ContinuousClock()
        let latest = clock.now + .seconds(30)
        while !streams.allSatisfy(\.hasBegun.isSet) {
            try demand(clock.now < latest, "all streams within 30 s")
            try await Task.sleep(for: .milliseconds(1))
        }
        var failure: (any Error)?
        for _ in 0..<10 {
            do {
                try await request()
                failure = nil
                break
            } catch {
                failure = error
            }
        }
        try demand(failure == nil, "the request beside them: \(String(describing: failure))")
        let (start, processorTime) = (clock.now, ProcessMeter.processorTime)
        for stream in streams { stream.task.cancel() }
        for stream in streams { _ = await stream.task.result }
        let time = clock.now - start
        let isInTime = time < .seconds(1) || ProcessMeter.processorTime - processorTime < 3
        try demand(isInTime, "the end of the streams within a second, not \(time)")
    }
}

private final class BegunFlag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}
