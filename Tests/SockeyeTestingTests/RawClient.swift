import SockeyeNet
import SockeyeTesting

/// A client that sends and receives plain bytes, so that these tests depend only on sockets.
struct RawClient: Sendable {
    let connection: TestConnection

    init(_ address: EndpointAddress, tls: TLSOptions? = nil, serverName: String = "localhost") async throws {
        let poller = try EventPoller.shared()
        let deadline = poller.time.now.advanced(by: .seconds(10))
        let socket = try await SocketStream.connect(to: address, poller: poller, until: deadline)
        var stream: any ByteStream = socket
        if let tls {
            stream = try await TLSStream.connect(
                over: socket, serverName: serverName, context: TLSContext(tls), sessions: nil, sessionKey: "",
                until: deadline)
        }
        connection = TestConnection(index: 0, socket: socket, stream: stream)
    }

    func send(_ text: String) async throws {
        try await connection.write(text)
    }

    /// Reads a response head and the body that its Content-Length announces.
    func response() async throws -> (head: String, body: String) {
        let head = String(decoding: try await connection.read(through: "\r\n\r\n") ?? Bytes(), as: UTF8.self)
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
            .flatMap { Int($0.dropFirst("Content-Length: ".count)) }
        let body = try await connection.read(exactly: length ?? 0)
        return (head, String(decoding: body, as: UTF8.self))
    }

    /// Reads until the server closes.
    func rest() async throws -> String {
        var bytes: [UInt8] = []
        while let piece = try await connection.read() { bytes.append(contentsOf: piece) }
        return String(decoding: bytes, as: UTF8.self)
    }

    func get(_ target: String = "/", fields: String = "") async throws -> (head: String, body: String) {
        try await send("GET \(target) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
        return try await response()
    }
}
