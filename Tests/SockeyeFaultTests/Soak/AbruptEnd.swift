import Glibc
import Sockeye
import SockeyeTesting

/// Ends the process during TLS transfers, like a program that needs no more data.
enum AbruptEnd {
    static func run() async throws {
        let server = try FaultServer(tls: try Credentials.server()) { peer in
            _ = try await peer.connection.read(through: "\r\n\r\n")
            try await peer.connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n")
            while true { try await peer.connection.write(String(repeating: "x", count: 100_000)) }
        }
        let client = HTTPClient(configuration: try Credentials.configuration())
        let url = server.url()
        let moving = TestSignal()
        for _ in 0..<16 {
            Task {
                var count = 0
                for try await chunk in try await client.get(url).body {
                    count += chunk.count
                    if count > 1_000_000 { moving.fire() }
                }
            }
        }
        try await moving.wait()
        exit(0)
    }
}
