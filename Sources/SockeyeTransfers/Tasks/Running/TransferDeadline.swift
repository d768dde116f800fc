import SockeyeCore
import SockeyeEngine
import SockeyeNet

/// The total deadline of a transfer task (``/Sockeye/Timeouts/total``). It also applies while the transfer is paused.
struct TransferDeadline: Sendable {
    let clock: CallClock
    /// The time limits of the transfer's calls.
    let limits: PhaseLimits
    /// The time of the deadline; `distantFuture` if the transfer has no total deadline.
    let time: MonotonicTime

    /// Starts the deadline now.
    init(_ limits: PhaseLimits, clock: CallClock) {
        self.clock = clock
        self.limits = limits
        time = clock.time.now.deadline(after: limits.total)
    }

    var exists: Bool { time != .distantFuture }
    var isOver: Bool { clock.time.now >= time }

    /// Waits for the deadline. Returns earlier if the Swift task is cancelled, or if the clock's poller (the thread
    /// that waits for timers) is closed.
    func wait() async {
        try? await clock.sleep(until: time)
    }

    func timeout(in phase: SockeyeError.Phase) -> SockeyeError {
        .timeout(phase, configured: limits.total, name: "total")
    }

    /// Waits while the gate is shut (while the transfer is paused), but not beyond the deadline.
    ///
    /// - Throws: ``/Sockeye/SockeyeError/Code-swift.struct/timeout`` or
    ///   ``/Sockeye/SockeyeError/Code-swift.struct/cancelled``.
    func pass(_ gate: TransferGate, in phase: SockeyeError.Phase) async throws(SockeyeError) {
        guard exists else { return try await gate.pass(phase) }
        let error = await withTaskGroup(of: SockeyeError?.self) { group in
            group.addTask { await Self.failure(of: gate, phase) }
            group.addTask {
                await wait()
                // If the poller is closed, `wait()` returns before the deadline. In that case this child task, like the
                // other one, waits for the gate.
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
