import SockeyeCore
import SockeyeEngine
import SockeyeNet

/// The total deadline of a task (``Timeouts/total``), which also continues while the task is paused.
struct TransferDeadline: Sendable {
    let clock: CallClock
    /// The deadlines of the task's calls.
    let limits: PhaseLimits
    /// The time of the deadline; `distantFuture` if the task has no total deadline.
    let time: MonotonicTime

    /// Starts the deadline now.
    init(_ limits: PhaseLimits, clock: CallClock) {
        self.clock = clock
        self.limits = limits
        time = clock.time.now.deadline(after: limits.total)
    }

    var exists: Bool { time != .distantFuture }
    var isOver: Bool { clock.time.now >= time }

    /// Waits for the deadline, or until the task is cancelled.
    func wait() async {
        try? await clock.sleep(until: time)
    }

    /// Returns the error of the deadline.
    func timeout(in phase: SockeyeError.Phase) -> SockeyeError {
        .timeout(phase, configured: limits.total, name: "total")
    }

    /// Waits while the gate is shut, but no longer than the deadline.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/timeout`` or ``SockeyeError/Code-swift.struct/cancelled``.
    func pass(_ gate: TransferGate, in phase: SockeyeError.Phase) async throws(SockeyeError) {
        guard exists else { return try await gate.pass(phase) }
        let error = await withTaskGroup(of: SockeyeError?.self) { group in
            group.addTask { await Self.failure(of: gate, phase) }
            group.addTask {
                await wait()
                // Without an open poller the wait ends at once. Then only the gate is waited for.
                return isOver ? timeout(in: phase) : await Self.failure(of: gate, phase)
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if let error { throw error }
    }

    private static func failure(of gate: TransferGate, _ phase: SockeyeError.Phase) async -> SockeyeError? {
        do throws(SockeyeError) {
            try await gate.pass(phase)
            return nil
        } catch {
            return error
        }
    }
}
