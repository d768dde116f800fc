public import SockeyeCore
public import SockeyeEngine

/// Signs requests; made by `.signing(crossingOrigins:_:)`.
///
/// Runs for every request that goes to the wire, retries and answers to challenges included, and so with a time stamp of
/// its own each time. The fields are the final ones, except for what the connection adds: Host, Content-Length or
/// Transfer-Encoding, Connection, credentials from the URL, and the client's defaults (User-Agent, Accept,
/// Accept-Encoding) where the request has none.
public struct SigningInterceptor: Interceptor {
    /// What signs: changes the request, usually by setting fields.
    public typealias Signer =
        @Sendable (_ request: inout OutgoingRequest, _ content: SigningInterceptor.Content) async throws -> Void

    private let sign: Signer
    private let crossesOrigins: Bool

    init(crossingOrigins crossesOrigins: Bool, _ sign: @escaping Signer) {
        self.crossesOrigins = crossesOrigins
        self.sign = sign
    }

    /// Around every request that goes to the wire.
    public var stage: Call.Stage { .attempt }

    /// Sends the request as the signer made it.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        guard crossesOrigins || !hasLeftOrigin(request, call) else { return try await call.proceed(request) }
        var signed = request
        try await sign(&signed, SigningInterceptor.Content(request.body))
        return try await call.proceed(signed)
    }

    /// Whether a redirect of the call has left its origin, even if a later one returned.
    private func hasLeftOrigin(_ request: OutgoingRequest, _ call: Call) -> Bool {
        request.options.leftOrigin || call.history.first.map { $0.url.origin != request.url.origin } ?? false
    }
}

extension SigningInterceptor: OriginBoundInterceptor {
    func outsideScope(withholding fields: [Headers.Name]) -> (any Interceptor)? { crossesOrigins ? self : nil }
}

extension Interceptor where Self == SigningInterceptor {
    /// Signs every request that goes to the wire.
    ///
    /// ```swift
    /// client.adding(.signing { request, content in
    ///     let digest = try await content.reduce(into: SHA256()) { $0.update(data: Data($1)) }.finalize()
    ///     request.headers["X-Signature"] = signature(of: request.url.path, digest)
    /// })
    /// ```
    ///
    /// - Parameters:
    ///   - crossesOrigins: Whether requests are signed, too, that a redirect leads to another origin than the call's
    ///     first. Default false: a signature is meant for whom the caller asked.
    ///   - sign: Gets the request to change and the content to sign. What it throws fails the call.
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

        /// The content, where it is in memory, and empty without any. Nil for files and streams; see ``reduce(into:_:)``.
        public var bytes: Bytes? { body.bytesInMemory }

        /// Whether ``reduce(into:_:)`` works: the content is in memory, in a file, or in a stream that can be asked for again.
        public var isReadable: Bool { body.isReplayable }

        /// Reads the content from start to end, piece by piece, as for a digest. Files are read once more than for sending.
        ///
        /// - Parameters:
        ///   - initial: What to begin with, such as an empty digest.
        ///   - update: Adds a piece.
        /// - Returns: What has become of `initial`.
        /// - Throws: ``SockeyeError/Code-swift.struct/invalidRequest`` for a stream that can be sent only once, and
        ///   ``SockeyeError/Code-swift.struct/bodyFailed`` when the content cannot be read.
        public func reduce<Result: Sendable>(
            into initial: Result, _ update: @escaping @Sendable (inout Result, Bytes) -> Void
        ) async throws(SockeyeError) -> Result {
            guard body.isReplayable else {
                throw SockeyeError(
                    .init(
                        .invalidRequest, phase: .prepare, blame: .caller,
                        message: "the content can be sent once only, so it cannot be read for signing"))
            }
            return try await body.reduce(into: initial, for: "signing", update)
        }
    }
}
