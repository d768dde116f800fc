public import SockeyeCore
public import SockeyeEngine

/// Signs requests. Create one with `.signing(crossingOrigins:_:)`.
///
/// It runs for every request that is sent, including retries and answers to challenges, so each can have its own time
/// stamp.
///
/// The signer sees the final header fields, except for those that the transport adds after the signing. These are
/// Host, Content-Length or Transfer-Encoding, Connection, Upgrade, Expect, Proxy-Authorization, credentials from the
/// URL, and the client's defaults for User-Agent, Accept and Accept-Encoding.
public struct SigningInterceptor: Interceptor {
    /// A closure that signs a request, usually by setting fields.
    public typealias Signer =
        @Sendable (_ request: inout OutgoingRequest, _ content: SigningInterceptor.Content) async throws -> Void

    private let sign: Signer
    private let crossesOrigins: Bool

    init(crossingOrigins crossesOrigins: Bool, _ sign: @escaping Signer) {
        self.crossesOrigins = crossesOrigins
        self.sign = sign
    }

    /// The stage ``Call/Stage/attempt``: once around every request that is sent.
    public var stage: Call.Stage { .attempt }

    /// Signs the request and sends it.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        guard crossesOrigins || !hasLeftOrigin(request, call) else { return try await call.proceed(request) }
        let signed = try await call.shared.run(in: .prepare) { [sign] in
            var signed = request
            try await sign(&signed, SigningInterceptor.Content(request.body))
            return signed
        }
        return try await call.proceed(signed)
    }

    /// True if a redirect of the call has left the call's origin, even if a later redirect returned to it.
    private func hasLeftOrigin(_ request: OutgoingRequest, _ call: Call) -> Bool {
        request.options.leftOrigin || call.history.first.map { $0.url.origin != request.url.origin } ?? false
    }
}

extension SigningInterceptor: OriginBoundInterceptor {
    func outsideScope(withholding fields: [Headers.Name]) -> (any Interceptor)? { crossesOrigins ? self : nil }
}

extension Interceptor where Self == SigningInterceptor {
    /// Signs requests each time that they are sent, including retries and answers to challenges.
    ///
    /// ```swift
    /// client.adding(
    ///     .signing { request, content in
    ///         let digest = try await content.reduce(into: SHA256()) {
    ///             $0.update(data: Data($1))
    ///         }.finalize()
    ///         request.headers["X-Signature"] = signature(of: request.url.path, digest)
    ///     })
    /// ```
    ///
    /// - Parameters:
    ///   - crossesOrigins: True to sign every request. Default: false, because a signature is meant for one server. If
    ///     false, requests after a redirect to another origin are not signed. A client with a base URL or trusted
    ///     origins then signs only calls to these origins.
    ///   - sign: Receives the request to change and the content to sign. An error that it throws fails the call.
    public static func signing(
        crossingOrigins crossesOrigins: Bool = false, _ sign: @escaping SigningInterceptor.Signer
    ) -> SigningInterceptor {
        SigningInterceptor(crossingOrigins: crossesOrigins, sign)
    }
}

extension SigningInterceptor {
    /// The content of a request, for its signer.
    public struct Content: Sendable {
        private let body: OutgoingRequest.Body

        init(_ body: OutgoingRequest.Body) {
            self.body = body
        }

        /// The content if it is in memory; empty if the request has no content. Nil for files and streams; see
        /// ``reduce(into:_:)``.
        public var bytes: Bytes? { body.bytesInMemory }

        /// True if ``reduce(into:_:)`` works: the content is in memory, in a file, or in a replayable stream.
        public var isReadable: Bool { body.isReplayable }

        /// Reads the content from start to end, piece by piece, for example to compute a digest. Files and streams are
        /// read again for sending.
        ///
        /// - Parameters:
        ///   - initial: The initial value, such as an empty digest.
        ///   - update: Adds a piece to the value.
        /// - Returns: The final value.
        /// - Throws: ``SockeyeError/Code-swift.struct/invalidRequest`` for a stream that can be sent only once, and
        ///   ``SockeyeError/Code-swift.struct/bodyFailed`` if the content cannot be read.
        public func reduce<Result: Sendable>(
            into initial: Result, _ update: @escaping @Sendable (inout Result, Bytes) -> Void
        ) async throws(SockeyeError) -> Result {
            guard body.isReplayable else {
                throw SockeyeError(
                    .init(
                        .invalidRequest, phase: .prepare, blame: .caller,
                        message:
                            "the stream can be read only once, so it cannot be read for signing; make it replayable"))
            }
            return try await body.reduce(into: initial, for: "signing", update)
        }
    }
}
