/// How a ``TestServer`` behaves beyond what its handler says.
public struct TestServerOptions: Sendable {
    /// Sends 100 (Continue) to a client that asked for it when the handler first reads the body. When false the server
    /// says nothing and it is the handler that may (``TestResponder/sendInterim(_:headers:)``). Default true.
    public var answersExpectContinue: Bool
    /// After this many requests a connection is closed, as its last response announces. Default: never.
    public var requestsPerConnection: Int

    /// Makes options; each default is named at its property.
    public init(answersExpectContinue: Bool = true, requestsPerConnection: Int = .max) {
        self.answersExpectContinue = answersExpectContinue
        self.requestsPerConnection = requestsPerConnection
    }
}
