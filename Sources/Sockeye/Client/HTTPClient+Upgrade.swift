import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP

extension HTTPClient {
    /// Asks the server to switch to another protocol on this connection (RFC 9110 7.8), such as `websocket`.
    ///
    /// - Parameters:
    ///   - request: Usually a GET. Connection and Upgrade are set here.
    ///   - protocolName: The value of Upgrade.
    /// - Returns: The 101 response, and the connection, which is the caller's from now on.
    /// - Throws: ``SockeyeError/Code-swift.struct/upgradeRefused`` with the response as evidence when the server answers
    ///   anything else, and what ``send(_:)`` throws.
    public func upgrade(
        _ request: OutgoingRequest, to protocolName: String
    ) async throws(SockeyeError) -> (response: IncomingResponse, connection: UpgradedConnection) {
        try await handedOver(request, upgrade: protocolName)
    }

    /// Opens a tunnel with CONNECT (RFC 9110 9.3.6) through the server at `url` to the authority of `url`.
    ///
    /// - Throws: As ``upgrade(_:to:)``.
    public func connect(
        _ url: some HTTPURLConvertible, headers: Headers = [:],
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) async throws(SockeyeError) -> (response: IncomingResponse, connection: UpgradedConnection) {
        let request = OutgoingRequest(method: .connect, url: try scope.resolve(url), headers: headers, options: options)
        return try await handedOver(request, upgrade: nil)
    }

    private func handedOver(
        _ request: OutgoingRequest, upgrade: String?
    ) async throws(SockeyeError) -> (response: IncomingResponse, connection: UpgradedConnection) {
        guard let transport = scope.sockets else {
            throw SockeyeError(
                .init(
                    .invalidRequest, phase: .prepare, blame: .caller,
                    message: "only clients over sockets can hand a connection over"))
        }
        let request = try scope.serving(request.url).completing(request)
        switch try await transport.perform(request, upgrade: upgrade) {
        case .upgraded(let response, let connection): return (response, connection)
        case .response(let response):
            throw await response.refusal(
                .upgradeRefused, upgrade == nil ? "the server opened no tunnel" : "the server did not switch protocols")
        }
    }
}
