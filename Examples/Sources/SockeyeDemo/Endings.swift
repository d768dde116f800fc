import Sockeye

/// A request that is cancelled with its task while the server is silent.
struct Cancellation: Scene {
    func run(_ client: HTTPClient, _ terminal: Terminal) async throws {
        let task = Task { try await client.get("/silence") }
        try await Task.sleep(for: .milliseconds(100))
        let (failure, time) = await timed {
            task.cancel()
            return await failureText { _ = try await task.value }
        }
        terminal.result("cancelled", "over \(format(time)) after the cancellation")
        terminal.note(failure)
    }
}

/// A request with its own deadline, which the server does not meet.
struct TimeOut: Scene {
    func run(_ client: HTTPClient, _ terminal: Terminal) async throws {
        let (failure, time) = await timed {
            await failureText { _ = try await client.get("/silence", options: .timeout(total: .milliseconds(250))) }
        }
        terminal.result("timed out", "over after \(format(time))")
        terminal.note(failure)
    }
}

/// Returns the text of the error of an operation that is expected to fail.
private func failureText(_ operation: () async throws -> Void) async -> String {
    do {
        try await operation()
        return "no error?"
    } catch {
        return "\(error)"
    }
}
