import Sockeye
import SockeyeCore
import SockeyeTesting
import SockeyeWebSocket

/// A server that completes the handshake and then sends and reads plain bytes.
enum RawPeer {
    static func start(
        headers: Headers = [:], tls: TestTLS? = nil,
        accept: @escaping @Sendable (String) -> String? = { OpeningHandshake.accept(for: $0) },
        _ script: @escaping @Sendable (TestConnection) async throws -> Void
    ) async throws -> TestServer {
        try await TestServer.start(tls: tls) { request, responder in
            var headers = headers
            if let accept = accept(request.headers["Sec-WebSocket-Key"] ?? "") {
                headers["Sec-WebSocket-Accept"] = accept
            }
            let connection = try await responder.upgrade(to: "websocket", headers: headers)
            try await script(connection)
        }
    }
}

extension TestConnection {
    /// Reads up to the client's Close frame and returns its code; nil if the connection ends without one.
    func closeCode() async throws -> UInt16? {
        var machine = InboundMachine(role: .server)
        while let bytes = try await read() {
            machine.push(bytes)
            while let event = try machine.next() {
                if case .close(let status) = event { return status.code?.rawValue ?? 1005 }
            }
        }
        return nil
    }

    func write(_ frame: [UInt8]) async throws { try await write(Bytes(frame)) }
}
