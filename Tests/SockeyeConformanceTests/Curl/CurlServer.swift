import Sockeye
import SockeyeCore
import SockeyeTesting
import Synchronization

/// Plays the server of one case: picks the section of the reply by the number in the path, as the README has it.
final class CurlServer: Sendable {
    private struct State {
        var requests: [[UInt8]] = []
        var bounces = 0
    }

    private let vector: CurlCase
    private let state = Mutex(State())

    init(_ vector: CurlCase) {
        self.vector = vector
    }

    /// What was asked for so far.
    var requests: [HTTPText] {
        let bytes = state.withLock { $0.requests.flatMap { $0 } }
        return HTTPText.requests(bytes, bodyIsHeldBack: vector.skippedBytes > 0)
    }

    func start() async throws -> RawServer {
        let tls = vector.isOverTLS ? TestTLS(try certificate()) : nil
        let isUnix = vector.servers.contains("http-unix")
        let address: ListenAddress = isUnix ? .temporaryUnixSocket : vector.isOverIPv6 ? .loopbackIPv6 : .loopback
        return try await RawServer.start(on: address, tls: tls, script: [.run { try await self.serve($0) }])
    }

    /// Trusted by whoever trusts ``roots``.
    private func certificate() throws -> TestCertificate {
        let authority = try Self.authority.get()
        // Named after curl's certificate files. A name with NUL cannot be told to OpenSSL's configuration; what that one
        // must not do is to be found by its common name.
        let names: [String: [String]] = [
            "https test-localhost-san-last.pem": ["localhost1", "localhost2", "localhost"],
            "https test-localhost0h.pem": ["localhost.other.test"], "https test-localhost.nn.pem": ["localhost.nn"],
        ]
        guard let server = vector.servers.first, let dnsNames = names[server] else { return try authority.issue() }
        var options = TestCertificateOptions(dnsNames: dnsNames)
        options.commonName = server.contains("last") ? "somebody" : "localhost"
        return try authority.issue(options)
    }

    private static let authority = Result { try TestCertificateAuthority() }

    static var roots: TLSOptions.Roots {
        get throws { try authority.get().roots }
    }

    private func serve(_ connection: TestConnection) async throws {
        while let head = try await connection.read(through: "\r\n\r\n") {
            var rest = Array(head)[...]
            let request = HTTPText.takeHead(from: &rest) ?? HTTPText()
            var bytes = Array(head)
            if request.isChunked {
                bytes += try await connection.read(through: "0\r\n\r\n") ?? Bytes()
            } else if let length = request.length, length > vector.skippedBytes {
                bytes += try await connection.read(exactly: length - vector.skippedBytes)
            }
            let (reply, closes) = state.withLock { state in
                state.requests.append(bytes)
                return self.reply(to: request, &state)
            }
            try await connection.write(reply)
            if closes {
                if vector.lingers { try await connection.discardToEnd() }
                break
            }
        }
        try await connection.closeWrite()
        try await connection.discardToEnd()
    }

    private func reply(to request: HTTPText, _ state: inout State) -> (Bytes, closes: Bool) {
        let target = request.start.split(separator: " ").dropFirst().first ?? ""
        let digits = target.split(separator: "/").last.map { $0.prefix { $0.isNumber } } ?? ""
        var part = Int(digits).map { $0 >= 10_000 ? $0 % 10_000 : 0 } ?? 0
        let credentials = request.values("authorization").first ?? ""
        let toProxy = request.values("proxy-authorization").first ?? ""
        if credentials.hasPrefix("Digest ") || toProxy.hasPrefix("Digest ") { part += 1000 }
        if credentials.hasPrefix("Basic "), part >= 1000 { part += 1 }
        if vector.section("data\(part + state.bounces)") != nil { part += state.bounces }
        let section = vector.section(part == 0 ? "data" : "data\(part)") ?? vector.section("data")
        guard let raw = section?.filled(for: request), !raw.isEmpty else { return (Bytes(), true) }
        let text = String(decoding: raw, as: UTF8.self)
        if text.contains("swsbounce") { state.bounces += 1 }
        let reply = vector.bareLfHead == true ? HTTPText.withProperLineEnds(raw) : raw
        guard let response = HTTPText.response(raw) else { return (reply, true) }
        // With a transfer coding other than chunked the body ends with the connection (RFC 9112 6.3).
        let isCoded = !response.values("transfer-encoding").isEmpty
        let hasEnd =
            (response.length != nil && !isCoded) || response.isChunked || [204, 304].contains(response.status ?? 0)
        let asksToClose = response.values("connection").contains { $0.lowercased().contains("close") }
        let isCut = (response.length ?? 0) > response.body.count && !request.start.hasPrefix("HEAD")
        let closes = !hasEnd || asksToClose || isCut || text.contains("swsclose") || vector.expectsFailure
        return (reply, closes || (vector.servercmd ?? []).contains("swsclose"))
    }
}

extension Bytes {
    /// The variables of a reply filled in, with the address that the request names.
    fileprivate func filled(for request: HTTPText) -> Bytes {
        let text = String(decoding: self, as: UTF8.self)
        guard text.contains("%HOSTIP") || text.contains("%HTTPPORT") else { return self }
        let port = request.values("host").first?.split(separator: ":").last ?? ""
        return Bytes(text.replacing("%HOSTIP", with: "127.0.0.1").replacing("%HTTPPORT", with: port))
    }
}
