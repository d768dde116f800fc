import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP

extension HTTPClient {
    /// Asks the server to switch to another protocol on this connection (RFC 9110 7.8), such as `websocket`.
    ///
    /// A call like any other: interceptors see it, redirects are followed, cookies and credentials go along and challenges
    /// are answered. Only ``CachePolicy`` is left out. An http proxy is asked for a tunnel, since one that forwards would
    /// take Upgrade as meant for itself.
    ///
    /// - Parameters:
    ///   - request: Usually a GET. Connection and Upgrade are set here. Its content is sent to the end before the connection
    ///     is the caller's, also if the 101 comes earlier; ``Timeouts/head`` bounds the wait.
    ///   - protocolName: The value of Upgrade.
    /// - Returns: The 101 response, and the connection, which is the caller's from now on.
    /// - Throws: ``SockeyeError/Code-swift.struct/upgradeRefused`` with the response as evidence when the server answers
    ///   anything else, and what ``send(_:)`` throws.
    public func upgrade(
        _ request: OutgoingRequest, to protocolName: String
    ) async throws(SockeyeError) -> (response: IncomingResponse, connection: UpgradedConnection) {
        guard scope.sockets != nil else { throw Self.notOverSockets }
        var request = request
        request.change { values in
            values.options.upgrade = protocolName
            values.options.skippedStages.insert(.cache)
        }
        let response = try await send(request)
        guard let connection = response.takeConnection() else {
            throw await response.refusal(.upgradeRefused, "the server did not switch protocols")
        }
        return (response, connection)
    }

    /// Opens a tunnel with CONNECT (RFC 9110 9.3.6) through the server at `url` to the authority of `url`. Only a client whose
    /// transport is the built-in one can: no other sees this request.
    ///
    /// - Throws: As ``upgrade(_:to:)``.
    public func connect(
        _ url: some HTTPURL.Convertible, headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) async throws(SockeyeError) -> (response: IncomingResponse, connection: UpgradedConnection) {
        let request = OutgoingRequest(method: .connect, url: try scope.resolve(url), headers: headers, options: options)
        guard let transport = scope.transport as? SocketTransport else { throw Self.notOverSockets }
        let completed = try scope.serving(request.url).completing(request)
        switch try await transport.perform(completed) {
        case .upgraded(let response, let connection): return (response, connection)
        case .response(let response): throw await response.refusal(.upgradeRefused, "the server opened no tunnel")
        }
    }

    private static var notOverSockets: SockeyeError {
        SockeyeError(
            .init(
                .invalidRequest, phase: .prepare, blame: .caller,
                message: "only clients over sockets can hand a connection over"))
    }
}
