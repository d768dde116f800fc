/// The part of a ``TestServer``'s behavior that does not depend on its handler.
public struct TestServerOptions: Sendable {
    /// True if the server sends 100 (Continue) when the handler first reads the body of a request with
    /// `Expect: 100-continue`. If false, only the handler can send 100, with
    /// ``TestResponder/sendInterim(_:headers:)``. Default true.
    public var answersExpectContinue: Bool
    /// The number of requests after which a connection is closed. The last response then has `Connection: close`.
    /// Default: no limit.
    public var requestsPerConnection: Int

    /// The clock for responses with a delay (``TestServerResponse/delayed(by:)``). Default nil: the system's clock.
    public var clock: ManualClock?

    /// Makes options.
    public init(
        answersExpectContinue: Bool = true, requestsPerConnection: Int = .max, clock: ManualClock? = nil
    ) {
        self.answersExpectContinue = answersExpectContinue
        self.requestsPerConnection = requestsPerConnection
        self.clock = clock
    }
}

/// A malformed request, or a request for which the handler failed.
public struct TestServerFailure: Error, Sendable, CustomStringConvertible {
    /// The method and target of the request, with the values of secret query items masked. `a request` if the request
    /// could not be parsed.
    public let request: String
    /// The index of the connection on the server, counted from 0.
    public let connection: Int
    /// The error that the handler threw, or a ``TestServerError``: `malformedRequest`, or `misuse` if the handler
    /// returned without a complete response.
    public let error: any Error

    /// The request and the error in one line.
    public var description: String { "\(request) on connection \(connection): \(error)" }
}

/// All failures of a server; thrown by ``TestServer/checkForFailures()`` and at the end of `withTestServer`.
public struct TestServerFailures: Error, Sendable, CustomStringConvertible {
    /// The failures in the order in which they happened; at least one.
    public let failures: [TestServerFailure]
    /// The error that the test itself threw; often a consequence of the failures. Nil if the test did not throw.
    public let testError: (any Error)?

    /// A line for each failure.
    public var description: String {
        let lines = failures.map { "- \($0)" } + (testError.map { ["- and the test threw: \($0)"] } ?? [])
        return "requests to the test server failed:\n" + lines.joined(separator: "\n")
    }
}
