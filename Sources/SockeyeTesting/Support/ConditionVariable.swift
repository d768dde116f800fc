import SockeyeCore
import SockeyeNet
import Synchronization

/// A condition variable together with its value.
final class ConditionVariable<Value: Sendable>: Sendable {
    private struct Content {
        var value: Value
        var waiting: [WaitTimer] = []
    }

    private let content: Mutex<Content>

    init(_ value: Value) {
        content = Mutex(Content(value: value))
    }

    var value: Value {
        content.withLock { $0.value }
    }

    /// Changes the value and wakes all waiters, which evaluate their conditions again.
    func update(_ change: (inout Value) -> Void) {
        let waiting = content.withLock { content in
            change(&content.value)
            defer { content.waiting = [] }
            return content.waiting
        }
        for timer in waiting { timer.signal() }
    }

    /// Suspends until `condition` holds, and returns the value for which it held.
    ///
    /// - Parameter timeout: The longest time to wait; nil to wait indefinitely.
    /// - Throws: `CancellationError`; or ``TestServerError`` with the code `timedOut` and the last value, or with the
    ///   code `cannotStart` if the wait cannot begin.
    func wait(
        for purpose: String, timeout: Duration?, until condition: @Sendable (Value) -> Bool
    ) async throws -> Value {
        let (timer, deadline) = try Self.makeTimer(timeout)
        while true {
            let (value, holds) = content.withLock { content in
                let holds = condition(content.value)
                if !holds { content.waiting.append(timer) }
                return (content.value, holds)
            }
            if holds { return value }
            let wake = await timer.sleep(until: deadline)
            guard wake != .ready else { continue }
            content.withLock { $0.waiting.removeAll { $0 === timer } }
            if wake == .cancelled { throw CancellationError() }
            let time = timeout.map { "waited \($0)" } ?? "waited"
            throw TestServerError(.timedOut, "\(time) for \(purpose); last seen: \(value)")
        }
    }

    /// Returns a timer of the shared poller (event loop), and the deadline of a wait that begins now.
    private static func makeTimer(_ timeout: Duration?) throws -> (WaitTimer, MonotonicTime) {
        do throws(TransportError) {
            let poller = try EventPoller.shared()
            return (try WaitTimer(poller: poller), poller.time.now.deadline(after: timeout))
        } catch {
            throw error.asWaitError
        }
    }
}

/// A one-shot event that any number of tasks can wait for. A test uses it to tell its server when to continue.
///
/// ```swift
/// let mayAnswer = TestSignal()
/// let server = try await TestServer.start { request in
///     try await mayAnswer.wait()
///     return .ok("late")
/// }
/// async let response = client.get(server.url())
/// // returns when the request has arrived; the server has not answered it yet
/// try await server.wait { $0.requests == 1 }
/// mayAnswer.fire()
/// ```
public final class TestSignal: Sendable {
    private let activity = ConditionVariable(false)

    /// Makes a signal that has not been fired.
    public init() {}

    /// True once ``fire()`` has been called.
    public var isFired: Bool { activity.value }

    /// Makes every present and future ``wait(timeout:)`` return. Firing again has no effect.
    public func fire() {
        activity.update { $0 = true }
    }

    /// Suspends until the signal is fired; returns at once if it was fired before.
    ///
    /// - Parameter timeout: The longest time to wait. Default 30 s.
    /// - Throws: `CancellationError`; or ``TestServerError`` with the code `timedOut`, or with `cannotStart` if the
    ///   wait cannot begin.
    public func wait(timeout: Duration = .seconds(30)) async throws {
        _ = try await activity.wait(for: "a test signal", timeout: timeout) { $0 }
    }
}
