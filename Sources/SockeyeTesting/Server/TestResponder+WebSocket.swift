import HTTPTypes
public import SockeyeHTTP
public import SockeyeWebSocket

extension TestResponder {
    /// Answers the opening handshake of a WebSocket (RFC 6455 4.2) and runs a closure with the connection in the
    /// server's role. Afterwards this method closes the connection: with the code 1000 if the closure returned, with
    /// 1011 if it threw, and with 1001 if it threw after the task was cancelled.
    ///
    /// ```swift
    /// let server = try await TestServer.start { request, responder in
    ///     try await responder.webSocket { socket in
    ///         for try await message in socket.messages {
    ///             try await socket.send(message)
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// Client and server run the same protocol implementation. So if both violate the protocol in the same way, a test
    /// with this server does not find the violation.
    ///
    /// - Parameters:
    ///   - options: The same options as for a client. From the client's offer, the server chooses the first subprotocol
    ///     that these options contain. Messages are compressed if the client offers compression and these options allow
    ///     it.
    ///   - headers: Additional fields of the answer.
    ///   - body: A closure that uses the connection.
    /// - Throws: ``TestServerError`` (`misuse`) if the request is not an opening handshake; the client then gets 400.
    ///   Errors of `body`, and `WebSocketError` for failures of the connection.
    public func webSocket<Result>(
        options: WebSocketConnection.Options = WebSocketConnection.Options(), headers: Headers = [:],
        _ body: (WebSocketConnection) async throws -> Result
    ) async throws -> Result {
        guard let accept = acceptOfHandshake else {
            try await send(.text("no opening handshake of a WebSocket\n", status: 400))
            throw TestServerError(.misuse, "the request is not the opening handshake of a WebSocket")
        }
        var agreement = OpeningHandshake.Agreement()
        var headers = headers
        headers["Sec-WebSocket-Accept"] = accept
        let offered = values("Sec-WebSocket-Protocol").flatMap { $0.split(separator: ",") }.map(Self.trimmed)
        if let chosen = offered.first(where: options.subprotocols.contains) {
            agreement.subprotocol = chosen
            headers["Sec-WebSocket-Protocol"] = chosen
        }
        let offers = ExtensionElement.parse(values("Sec-WebSocket-Extensions")) ?? []
        if let compression = options.compression,
            let accepted = DeflateAgreement.accepting(offers, wanted: compression.wantedByServer)
        {
            agreement.compression = accepted.agreement
            headers["Sec-WebSocket-Extensions"] = accepted.answer.text
        }
        let connection = try await upgrade(to: "websocket", headers: headers)
        let early = connection.reader.take(unsafe connection.reader.consume { (0, $0.count) })
        let socket = WebSocketConnection(
            over: connection.stream, early: early, owner: connection, role: .server, options: options,
            agreement: agreement, stall: .seconds(60))
        return try await socket.run(body)
    }

    /// The value of Sec-WebSocket-Accept; nil if the request is not a valid opening handshake (RFC 6455 4.2.1).
    private var acceptOfHandshake: String? {
        let upgrades = values("Upgrade").flatMap { $0.split(separator: ",") }.map { Self.trimmed($0).lowercased() }
        let connections = values("Connection").flatMap { $0.split(separator: ",") }.map {
            Self.trimmed($0).lowercased()
        }
        let keys = values("Sec-WebSocket-Key")
        guard request.method == "GET", request.minorVersion == 1, upgrades.contains("websocket"),
            connections.contains("upgrade"), values("Sec-WebSocket-Version") == ["13"], keys.count == 1,
            OpeningHandshake.isKey(keys[0])
        else { return nil }
        return OpeningHandshake.accept(for: keys[0])
    }

    private func values(_ name: String) -> [String] {
        request.lines.filter { request.name(of: $0).lowercased() == name.lowercased() }.map { request.value(of: $0) }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
