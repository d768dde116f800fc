import HTTPTypes
public import SockeyeCore
public import SockeyeHTTP
import SockeyeNet

/// Ways to end an exchange other than with a response in good order.
extension TestResponder {
    /// Sends these bytes exactly as they are, in place of or amid a response; the connection closes when the handler
    /// returns.
    public func sendRaw(_ bytes: Bytes) async throws {
        leave()
        try await connection.write(bytes)
    }

    /// Sends this text exactly as it is; see ``sendRaw(_:)-(Bytes)``.
    public func sendRaw(_ text: String) async throws {
        try await sendRaw(Bytes(text))
    }

    /// Closes the connection now, in whatever state the response is.
    public func close() {
        leave()
        connection.close()
    }

    /// Closes the connection without TLS's close_notify.
    public func closeWithoutNotify() {
        leave()
        connection.closeWithoutNotify()
    }

    /// Closes the connection with a TCP reset.
    public func reset() {
        leave()
        connection.reset()
    }

    /// Waits until the client closes its end, as it does when the request is cancelled; what it still sends is thrown
    /// away. Returns also when the connection breaks.
    public func waitForDisconnect() async throws {
        content.abandon(TestServerError(.disconnected, "the handler waits for the end of the connection"))
        do {
            try await connection.discardToEnd()
        } catch let error as TestServerError where error.code == .disconnected {
            return
        }
    }

    /// Sends 101 (Switching Protocols) and hands the connection over as plain bytes; it closes when the handler returns.
    ///
    /// - Parameters:
    ///   - name: The value of the Upgrade field.
    ///   - headers: Further fields.
    public func upgrade(to name: String, headers: Headers = [:]) async throws -> TestConnection {
        var headers = headers
        headers[.upgrade] = name
        headers[.connection] = "Upgrade"
        return try await handOver(.switchingProtocols, headers)
    }

    /// Answers CONNECT with 200 and hands the connection over as plain bytes; it closes when the handler returns.
    public func tunnel(headers: Headers = [:]) async throws -> TestConnection {
        try await handOver(.ok, headers)
    }

    private func handOver(_ status: HTTPResponse.Status, _ headers: Headers) async throws -> TestConnection {
        guard outcome.phase == .fresh, content.isComplete else {
            throw TestServerError(.misuse, "a connection is handed over before a response and after the request's body")
        }
        leave()
        var head = ResponseHead(status, headers, length: nil, hasTrailers: false, to: request, keepsAlive: true)
        head.framing = .none
        try await transmit { head.append(to: &$0) }
        return connection
    }
}
