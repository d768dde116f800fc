/// How a ``TestServer`` behaves beyond what its handler says.
public struct TestServerOptions: Sendable {
    /// Sends 100 (Continue) to a client that asked for it when the handler first reads the body. When false the server
    /// says nothing and it is the handler that may (``TestResponder/sendInterim(_:headers:)``). Default true.
    public var answersExpectContinue: Bool
    /// After this many requests a connection is closed, as its last response announces. Default: never.
    public var requestsPerConnection: Int

    /// The clock of responses that are ``TestServerResponse/delayed(by:)``. Default nil: the system's.
    public var clock: ManualClock?

    /// Makes options; each default is named at its property.
    public init(
        answersExpectContinue: Bool = true, requestsPerConnection: Int = .max, clock: ManualClock? = nil
    ) {
        self.answersExpectContinue = answersExpectContinue
        self.requestsPerConnection = requestsPerConnection
        self.clock = clock
    }
}

/// A request whose handler failed, or that was none.
public struct TestServerFailure: Error, Sendable, CustomStringConvertible {
    /// Method and target of the request, or what stands for them when it could not be parsed.
    public let request: String
    /// The number of the connection among those of the server, from 0.
    public let connection: Int
    /// What the handler threw, or ``TestServerError``.
    public let error: any Error

    /// The request and the error in one line.
    public var description: String { "\(request) on connection \(connection): \(error)" }
}

/// All that went wrong in a server; thrown by ``TestServer/checkForFailures()`` and at the end of
/// `withTestServer`.
public struct TestServerFailures: Error, Sendable, CustomStringConvertible {
    /// In the order they happened; at least one.
    public let failures: [TestServerFailure]
    /// What the test itself threw, which is often a consequence.
    public let testError: (any Error)?

    /// One line for each failure.
    public var description: String {
        let lines = failures.map { "- \($0)" } + (testError.map { ["- and the test threw: \($0)"] } ?? [])
        return "the test server's handler failed:\n" + lines.joined(separator: "\n")
    }
}
