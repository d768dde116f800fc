import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP

extension HTTPClient {
    /// Asks the server to switch the connection of a request to another protocol (RFC 9110 7.8), such as `websocket`.
    ///
    /// The call is like any other: interceptors see it, redirects are followed, cookies and credentials are sent, and
    /// challenges are answered. Only a cache is skipped. The client asks an http proxy for a tunnel, because a
    /// forwarding proxy would take Upgrade as meant for itself.
    ///
    /// - Parameters:
    ///   - request: Usually a GET, never a CONNECT; see ``connect(_:headers:options:)``. This method sets Connection
    ///     and Upgrade. If the 101 arrives before all content is sent, this method sends the rest before it returns the
    ///     connection. ``Timeouts/head`` also limits this sending.
    ///   - protocolName: The value of Upgrade.
    /// - Returns: The 101 response and the connection, which now belongs to the caller.
    /// - Throws: ``SockeyeError/Code-swift.struct/upgradeRefused`` if the server answers with another status; the
    ///   error's ``SockeyeError/response`` contains that answer. ``SockeyeError/Code-swift.struct/invalidRequest`` if
    ///   the client's transport has no ``HTTPTransport/sockets``, or if the method is CONNECT. Also the errors of
    ///   ``send(_:)``.
    public func upgrade(
        _ request: OutgoingRequest, to protocolName: String
    ) async throws(SockeyeError) -> (response: IncomingResponse, connection: UpgradedConnection) {
        guard scope.sockets != nil else {
            throw Self.invalid("only a client with a SocketTransport can return an upgraded connection")
        }
        // A 2xx to CONNECT opens a tunnel (RFC 9110 9.3.6). Without this check, this method would return the tunnel as
        // a connection that speaks the other protocol.
        guard request.method != .connect else {
            throw Self.invalid("CONNECT cannot switch protocols; use connect(_:) to open a tunnel")
                .about(RequestIdentity(method: request.method.rawValue, url: request.url))
        }
        var request = request
        request.change { values in
            values.options.upgrade = protocolName
            values.options.skippedStages.insert(.cache)
        }
        let response = try await send(request)
        guard let connection = response.takeConnection() else {
            throw await response.refusal(
                .upgradeRefused, "the server did not switch protocols", by: scope.settings.clock)
        }
        return (response, connection)
    }

    /// Opens a tunnel with CONNECT (RFC 9110 9.3.6).
    ///
    /// The request goes to the server at `url` or, if a proxy forwards requests for `url`, to that proxy. In both cases
    /// the target of the tunnel is the host and port of `url`. The recipient acts as a proxy here, so it gets only
    /// `headers`, not the fields set with `scoped(headers:)`. Interceptors and monitors do not see the request.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/upgradeRefused`` if the recipient opens no tunnel; the error's
    ///   ``SockeyeError/response`` contains its answer. ``SockeyeError/Code-swift.struct/invalidRequest`` if the
    ///   client's transport is not itself a ``SocketTransport``, because the request would bypass a transport that
    ///   wraps one. Also the errors of ``send(_:)``.
    public func connect(
        _ url: some HTTPURL.Convertible, headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) async throws(SockeyeError) -> (response: IncomingResponse, connection: UpgradedConnection) {
        let request = OutgoingRequest(
            method: .connect, url: try scope.resolve(url, for: .connect), headers: headers, options: options)
        guard let transport = scope.transport as? SocketTransport else {
            throw Self.invalid("a tunnel requires that the client's transport itself is a SocketTransport")
        }
        var completed = try scope.serving(request.url).completing(request)
        completed.headers = request.headers
        switch try await transport.perform(completed) {
        case .upgraded(let response, let connection): return (response, connection)
        case .response(let response):
            throw await response.refusal(.upgradeRefused, "the server opened no tunnel", by: scope.settings.clock)
        }
    }

    private static func invalid(_ message: String) -> SockeyeError {
        SockeyeError(.init(.invalidRequest, phase: .prepare, blame: .caller, message: message))
    }
}
