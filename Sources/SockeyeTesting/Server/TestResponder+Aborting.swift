import HTTPTypes
public import SockeyeCore
public import SockeyeHTTP
import SockeyeNet

/// Ways to end an exchange other than with a complete response.
extension TestResponder {
    /// Sends these bytes unchanged, instead of a response or within a response. The connection closes when the handler
    /// returns.
    public func sendRaw(_ bytes: Bytes) async throws {
        leave()
        try await connection.write(bytes)
    }

    /// Sends this text unchanged; see ``sendRaw(_:)-(Bytes)``.
    public func sendRaw(_ text: String) async throws {
        try await sendRaw(Bytes(text))
    }

    /// Closes the connection now, in any state of the response.
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

    /// Waits until the client closes its sending direction, for example because the request was cancelled. Discards
    /// all input until then. Also returns if the connection fails. Throws `misuse` if another task is reading the body.
    public func waitForDisconnect() async throws {
        content.abandon(
            TestServerError(.disconnected, "the body cannot be read any more: the handler waits for the disconnection"))
        do {
            try await connection.discardToEnd()
        } catch let error as TestServerError where error.code == .disconnected {
            return
        }
    }

    /// Sends 101 (Switching Protocols) and returns the connection for the bytes of the new protocol. The connection
    /// closes when the handler returns. Throws `misuse` unless the request body has been read to its end and no
    /// response has begun.
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

    /// Answers CONNECT with 200 and returns the connection for the bytes of the tunnel. The connection closes when the
    /// handler returns. Throws `misuse` in the same cases as ``upgrade(to:headers:)``.
    public func tunnel(headers: Headers = [:]) async throws -> TestConnection {
        try await handOver(.ok, headers)
    }

    private func handOver(_ status: HTTPResponse.Status, _ headers: Headers) async throws -> TestConnection {
        guard outcome.phase == .fresh, content.isComplete else {
            throw TestServerError(
                .misuse,
                "a connection can be handed over only after the request's body was read and before a response begins")
        }
        leave()
        var head = SentResponseHead(status, headers, length: nil, hasTrailers: false, to: request, keepsAlive: true)
        head.framing = .none
        try await transmit { head.append(to: &$0) }
        return connection
    }
}
