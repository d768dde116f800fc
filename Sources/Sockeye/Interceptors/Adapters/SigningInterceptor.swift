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
    public var stage: InterceptorStage { .attempt }

    /// Sends the request as the signer made it.
    public func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        guard crossesOrigins || !hasLeftOrigin(request, call) else { return try await call.proceed(request) }
        var signed = request
        try await sign(&signed, SigningInterceptor.Content(request.body))
        return try await call.proceed(signed)
    }

    /// Whether a redirect has led to another origin, be it that another one led back.
    private func hasLeftOrigin(_ request: OutgoingRequest, _ call: Call) -> Bool {
        request.options.leftOrigin || call.history.first.map { $0.url.origin != request.url.origin } ?? false
    }
}

extension SigningInterceptor: OriginBoundInterceptor {
    func departed(withholding fields: [FieldName]) -> (any Interceptor)? { crossesOrigins ? self : nil }
}

extension Interceptor where Self == SigningInterceptor {
    /// Signs every request that goes to the wire.
    ///
    /// ```swift
    /// client.adding(.signing { request, content in
    ///     let digest = try await content.reduce(into: SHA256()) { $0.update(data: $1) }.finalize()
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
