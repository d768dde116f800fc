extension TLSOptions {
    /// Decides about a server; see ``TLSOptions/evaluate``.
    public typealias Evaluator = @Sendable (TLSTrust) async -> TLSTrust.Decision

    /// An evaluator that can be compared: it equals its copies and nothing else.
    package final class Evaluation: Sendable, Hashable {
        let evaluator: Evaluator

        init(_ evaluator: @escaping Evaluator) {
            self.evaluator = evaluator
        }

        package static func == (left: Evaluation, right: Evaluation) -> Bool { left === right }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(self))
        }
    }

    /// Decides whether a server is trusted, once its certificates are there and have been verified as configured: before a
    /// client certificate or a byte of a request is sent. Default nil: the verification decides.
    ///
    /// Called once for each full handshake, also where the verification has failed already, which it may overrule. A
    /// connection that resumes a session shows no certificates and is not asked about: only sessions that were accepted by
    /// this very evaluation are resumed, and not past the end of the certificate. Sets no deadline of its own: the handshake
    /// ends by the `tls` deadline whether the closure has answered or not, and then, or when the connection is
    /// given up, the closure's task is cancelled.
    ///
    /// Two configurations share connections only if one is a copy of the other: a closure that is made for each request
    /// opens a connection for each. Not archived. AFNetworking's `setSessionDidReceiveAuthenticationChallengeBlock:`.
    ///
    /// ```swift
    /// tls.evaluate = { trust in
    ///     guard trust.failure == nil else { return .standard }
    ///     return await blocklist.contains(trust.certificates[0].serialNumber) ? .reject("blocked") : .accept
    /// }
    /// ```
    public var evaluate: Evaluator? {
        get { evaluation?.evaluator }
        set { evaluation = newValue.map { Evaluation($0) } }
    }
}
