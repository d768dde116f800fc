import SockeyeCore
import SockeyeHTTP
import SockeyeTesting
import Synchronization

/// Plays the SOCKS proxy of curl's test suite, versions 4, 4A and 5. Every requested target leads to the HTTP server of
/// the case.
final class CurlSOCKSServer: Sendable {
    private let vector: CurlCase
    private let origin: Int
    private let recorded = Mutex<[String]>([])

    init(_ vector: CurlCase, origin: Int) {
        self.vector = vector
        self.origin = origin
    }

    /// The requested hosts.
    var targets: [String] { recorded.withLock { $0 } }

    func start() async throws -> RawServer {
        try await RawServer.start(script: [.run { try await self.serve($0) }])
    }

    private func serve(_ connection: TestConnection) async throws {
        let version = try await connection.read(exactly: 1)[0]
        let target = version == 5 ? try await version5(connection) : try await version4(connection)
        guard let target else { return }
        recorded.withLock { $0.append(target) }
        try await RelayingProxy.relay(connection, to: origin)
    }

    /// Negotiates by RFC 1928 and RFC 1929; nil if the client was refused.
    private func version5(_ connection: TestConnection) async throws -> String? {
        let method = vector.setting("method").flatMap { UInt8($0) } ?? 0
        guard try await counted(connection).contains(method) else {
            try await connection.write(Bytes([5, 0xFF]))
            return nil
        }
        try await connection.write(Bytes([5, method]))
        if method == 2 {
            _ = try await connection.read(exactly: 1)
            let login = [try await text(connection), try await text(connection)]
            let isRight = login == [vector.setting("user"), vector.setting("password")]
            try await connection.write(Bytes([1, isRight ? 0 : 1]))
            guard isRight else { return nil }
        }
        let target: String
        switch try await connection.read(exactly: 4)[3] {
        case 1: target = Self.text(try await connection.read(exactly: 4))
        case 4: target = Self.text(try await connection.read(exactly: 16))
        default: target = try await text(connection)
        }
        _ = try await connection.read(exactly: 2)
        try await connection.write(Bytes([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
        return target
    }

    private func version4(_ connection: TestConnection) async throws -> String? {
        let address = try await connection.read(exactly: 7).dropFirst(3)
        _ = try await connection.read(through: "\0")
        var target = Self.text(address)
        if target.hasPrefix("0.0.0.") {
            target = String(decoding: try await connection.read(through: "\0") ?? Bytes(), as: UTF8.self)
            target.removeLast()
        }
        try await connection.write(Bytes([0, 90, 0, 0, 0, 0, 0, 0]))
        return target
    }

    /// Reads a length byte and that number of bytes.
    private func counted(_ connection: TestConnection) async throws -> Bytes {
        try await connection.read(exactly: Int(try await connection.read(exactly: 1)[0]))
    }

    private func text(_ connection: TestConnection) async throws -> String {
        String(decoding: try await counted(connection), as: UTF8.self)
    }

    /// Returns an address as text, in the form of a URL's host.
    private static func text(_ address: some Collection<UInt8>) -> String {
        let bytes = Array(address)
        guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map {
            String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
        }
        return (try? HTTPURL("http://[\(groups.joined(separator: ":"))]/").host) ?? ""
    }
}
