import SockeyeTesting

/// The server of a stuck request. It serves the request up to the obstacle, and then waits for the client to end.
struct SilentPeer: Sendable {
    /// Fired when the request has reached the obstacle.
    let reached = TestSignal()
    /// Fired by the test to let a server that does not read continue.
    let mayRead = TestSignal()

    func script(for obstacle: Obstacle) -> FaultServer.Script {
        { [self] peer in
            let connection = peer.connection
            switch obstacle {
            case .tls, .send, .sendFile:
                // Reading one byte shows that the request has reached this point; reading no more makes the client get
                // stuck.
                _ = try await connection.read(upTo: 1)
                reached.fire()
                try await mayRead.wait(timeout: .seconds(60))
            default:
                _ = try await connection.read(through: "\r\n\r\n")
                try await begin(obstacle, on: connection)
                reached.fire()
            }
            try await connection.discardToEnd()
        }
    }

    /// Sends the beginning of a response.
    private func begin(_ obstacle: Obstacle, on connection: TestConnection) async throws {
        switch obstacle {
        case .insideHead:
            try await connection.write("HTTP/1.1 200 OK\r\nX-")
        case .body, .pool:
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nsome")
        case .endlessBody:
            try await connection.write("HTTP/1.1 200 OK\r\n\r\n")
            while true { try await connection.write(TestPattern.bytes(at: 0, upTo: 1 << 18)) }
        default:
            break
        }
    }
}
