import Dispatch
import Sockeye
import Synchronization

/// Runs asynchronous work for libFuzzer, whose targets are synchronous, and checks the rules for every call.
enum FuzzRun {
    /// The longest time that a call may take beyond its deadline.
    static let slack = Duration.seconds(3)

    /// Returns the value of asynchronous work. Blocks this thread, which runs no task.
    static func value<Value: Sendable>(of work: @escaping @Sendable () async -> Value) -> Value {
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Value?>(nil)
        Task {
            let value = await work()
            result.withLock { $0 = value }
            done.signal()
        }
        done.wait()
        guard let value = result.withLock({ $0 }) else { fatalError("a task without a value") }
        return value
    }

    /// Returns the outcome of a call, which must end by its deadline. Its error must be suitable for a line of a log.
    ///
    /// - Parameter mayHaveLines: True if the error may have several lines, as errors of test transports do.
    static func call<Value: Sendable>(
        deadline: Duration, _ name: @autoclosure @Sendable () -> String, mayHaveLines: Bool = false,
        _ body: @Sendable () async throws -> Value
    ) async -> Result<Value, SockeyeError> {
        let start = ContinuousClock.now
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        let time = ContinuousClock.now - start
        require(time <= deadline + slack, "\(name()) took \(time) with a deadline of \(deadline)")
        switch result {
        case .success(let value): return .success(value)
        case .failure(let error as SockeyeError):
            if !mayHaveLines { check(error) }
            return .failure(error)
        case .failure(let error): fatalError("\(name()) threw an error of another type: \(error)")
        }
    }

    /// Checks that no text of an error has control characters, such as line ends or the escape character of terminals.
    static func check(_ error: SockeyeError) {
        for text in [error.description, error.message, error.url ?? "", error.limit?.description ?? ""] {
            require(!text.unicodeScalars.contains(where: isControl), "a control character in: \(text.debugDescription)")
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}
