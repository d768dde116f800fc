import SockeyeCore
import SockeyeNet
import Synchronization

extension WebSocketConnection {
    /// Runs a closure with the connection, keeps the connection alive meanwhile, and always closes it afterwards.
    ///
    /// The close code is 1000 if the closure returns and 1011 if it throws, but 1001 if it throws after the task was
    /// cancelled. If the task was cancelled, this method does not wait for the peer's Close frame.
    package func run<Result>(
        _ body: (WebSocketConnection) async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await withKeepAlive(body)
            await end(.normal)
            return result
        } catch {
            await end(Task.isCancelled ? .goingAway : .internalError)
            throw error
        }
    }

    private func withKeepAlive<Result>(
        _ body: (WebSocketConnection) async throws -> Result
    ) async throws -> Result {
        guard let keepAlive = options.keepAlive else { return try await body(self) }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.runKeepAlive(keepAlive) }
            defer { group.cancelAll() }
            return try await body(self)
        }
    }

    /// The longest time between two reads of control frames while no task receives.
    private static let longestReadPause = Duration.seconds(5)

    /// Pings a silent peer until the task is cancelled or the peer counts as lost.
    private func runKeepAlive(_ settings: KeepAlive) async {
        var machine = KeepAliveMachine(interval: settings.interval, timeout: settings.timeout, now: now)
        // While no task receives, this task reads, and the time of its read counts as the arrival time of the bytes. To
        // keep this time accurate, the task pauses for at most a quarter of the interval.
        let pause = min(Self.longestReadPause, max(.milliseconds(1), settings.interval / 4))
        while !Task.isCancelled {
            // Writes output that a cancelled sender has left. A receiving task would also write it, but there may be
            // no such task.
            _ = pendingWrite()
            let intake = readControlFrames()
            let (sent, hasUnsentOutput) = sending.withLock { ($0.sent, $0.hasUnsentOutput) }
            let action = machine.step(
                now: now, received: intake.received, lastByte: intake.lastByte,
                hasUnreceivedMessage: intake.hasUnreceivedMessage, sent: sent, hasUnsentOutput: hasUnsentOutput)
            switch action {
            case .ping: sendPing()
            case .fail:
                abort(.timeout("the peer sent nothing for longer than the keep-alive allows"))
                return
            case .sleep(let time):
                let end = min(time, now.advanced(by: pause))
                do throws(TransportError) { try await poller.sleep(until: end) } catch { return }
            }
        }
    }
}
