/// A flag that is raised once and that any number of tasks wait for: the way a test tells its server "now".
///
/// ```swift
/// let mayAnswer = TestSignal()
/// let server = try await TestServer.start { request in
///     try await mayAnswer.wait()
///     return .ok("late")
/// }
/// async let response = client.get(server.url())
/// try await server.wait { $0.requests == 1 }   // the request has arrived and is unanswered
/// mayAnswer.fire()
/// ```
public final class TestSignal: Sendable {
    private let board = Noticeboard(false)

    /// Makes a signal that has not been fired.
    public init() {}

    /// Whether ``fire()`` has been called.
    public var isFired: Bool { board.notice }

    /// Lets every present and future ``wait(timeout:)`` return. Firing again does nothing.
    public func fire() {
        board.update { $0 = true }
    }

    /// Suspends until the signal is fired; returns at once if it has been.
    ///
    /// - Parameter timeout: How long to wait at most, so that a broken test fails instead of hanging. Default 30 s.
    /// - Throws: ``TestServerError`` with the code `timedOut`, or `CancellationError`.
    public func wait(timeout: Duration = .seconds(30)) async throws {
        _ = try await board.wait(for: "a test signal", timeout: timeout) { $0 }
    }
}
