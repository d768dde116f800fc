import Sockeye
import SockeyeCore
import SockeyeTesting
import Synchronization

/// Plays the servers of one case. Each picks the section of the reply by the number in the path, as the README says.
final class CurlServer: Sendable {
    /// The recording that a request belongs to.
    enum Role: Sendable {
        case origin, proxy
    }

    private struct State {
        var requests: [Role: [[UInt8]]] = [:]
        var bounces = 0
        var announcements = 0
        var variables: CurlCommand.Variables?
    }

    private let vector: CurlCase
    private let state = Mutex(State())

    init(_ vector: CurlCase) {
        self.vector = vector
    }

    /// The requests that the origin has received so far.
    var requests: [HTTPText] { requests(of: .origin) }

    /// The requests that an origin, or a separate proxy, has received so far.
    func requests(of role: Role) -> [HTTPText] {
        let bytes = state.withLock { ($0.requests[role] ?? []).flatMap { $0 } }
        return HTTPText.requests(bytes, bodyIsHeldBack: vector.skippedBytes > 0)
    }

    /// The number of connections that began with a line of the PROXY protocol.
    var announcements: Int { state.withLock { $0.announcements } }

    /// Sets the ports of all servers of the case, for their replies and for the tunnels of the proxy.
    func place(at variables: CurlCommand.Variables) {
        state.withLock { $0.variables = variables }
    }

    /// Starts the server of one kind; by default the only one of the case.
    func start(_ kind: String? = nil) async throws -> RawServer {
        let kind = kind ?? vector.servers.first ?? "http"
        let tls = kind.hasPrefix("https") ? TestTLS(try certificate(kind)) : nil
        let address: ListenAddress =
            switch kind {
            case "http-unix": .temporaryUnixSocket
            case "http-ipv6": .loopbackIPv6
            default: .loopback
            }
        let role = kind.hasSuffix("-proxy") ? Role.proxy : .origin
        return try await RawServer.start(on: address, tls: tls, script: [.run { try await self.serve($0, as: role) }])
    }

    /// Returns the certificate for a kind of server, signed by ``roots``.
    private func certificate(_ kind: String) throws -> TestCertificate {
        let authority = try Self.authority.get()
        // Named after curl's certificate files. OpenSSL's configuration cannot contain a name with NUL, so the
        // certificate of that case gets another name. A client must not accept it by its common name.
        let names: [String: [String]] = [
            "https test-localhost-san-last.pem": ["localhost1", "localhost2", "localhost"],
            "https test-localhost0h.pem": ["localhost.other.test"], "https test-localhost.nn.pem": ["localhost.nn"],
        ]
        guard let dnsNames = names[kind] else { return try authority.issue() }
        var options = TestCertificateOptions(dnsNames: dnsNames)
        options.commonName = kind.contains("last") ? "another-host" : "localhost"
        return try authority.issue(options)
    }

    private static let authority = Result { try TestCertificateAuthority() }

    static var roots: TLSOptions.Roots {
        get throws { try authority.get().roots }
    }

    private func serve(_ connection: TestConnection, as role: Role) async throws {
        while var head = try await connection.read(through: "\r\n\r\n") {
            if role == .origin { head = withoutAnnouncement(head) }
            var rest = Array(head)[...]
            let request = HTTPText.takeHead(from: &rest) ?? HTTPText()
            var bytes = Array(head)
            if request.isChunked {
                bytes += try await connection.read(through: "0\r\n\r\n") ?? Bytes()
            } else if let length = request.length, length > vector.skippedBytes {
                bytes += try await connection.read(exactly: length - vector.skippedBytes)
            }
            let (reply, closes) = state.withLock { state in
                state.requests[role, default: []].append(bytes)
                return self.reply(to: request, &state)
            }
            try await connection.write(reply)
            if request.method == "CONNECT", reply.starts(with: Array("HTTP/1.1 2".utf8)) {
                guard role == .proxy else { continue }
                // As in curl's proxy, every target is on this machine.
                return try await RelayingProxy.relay(connection, to: request.port)
            }
            if closes {
                if vector.lingers { try await connection.discardToEnd() }
                break
            }
        }
        try await connection.closeWrite()
        try await connection.discardToEnd()
    }

    /// Returns a head without a preceding line of the PROXY protocol.
    private func withoutAnnouncement(_ head: Bytes) -> Bytes {
        guard head.starts(with: Array("PROXY TCP".utf8)), let end = head.firstIndex(of: 10) else { return head }
        state.withLock { $0.announcements += 1 }
        return Bytes(Array(head[(end + 1)...]))
    }

    /// Returns the name of the section that answers.
    private func section(for request: HTTPText, _ state: State) -> String {
        let toProxy = request.values("proxy-authorization").first ?? ""
        if request.method == "CONNECT" {
            let isKnown = toProxy.hasPrefix("Digest ") && vector.section("connect1000") != nil
            return isKnown ? "connect1000" : "connect"
        }
        let digits = request.target.split(separator: "/").last.map { $0.prefix { $0.isNumber } } ?? ""
        var part = Int(digits).map { $0 >= 10_000 ? $0 % 10_000 : 0 } ?? 0
        let credentials = request.values("authorization").first ?? ""
        if credentials.hasPrefix("Digest ") || toProxy.hasPrefix("Digest ") { part += 1000 }
        if credentials.hasPrefix("Basic "), part >= 1000 { part += 1 }
        if vector.section("data\(part + state.bounces)") != nil { part += state.bounces }
        let name = part == 0 ? "data" : "data\(part)"
        return vector.section(name) == nil ? "data" : name
    }

    private func reply(to request: HTTPText, _ state: inout State) -> (Bytes, closes: Bool) {
        let section = section(for: request, state)
        guard let raw = vector.section(section)?.filled(vector, state.variables), !raw.isEmpty else {
            return (Bytes(), true)
        }
        let text = String(decoding: raw, as: UTF8.self)
        if text.contains("swsbounce") { state.bounces += 1 }
        let isProper = vector.bareLfHead != true && !(section.hasPrefix("connect") && text.hasPrefix("HTTP/"))
        let reply = isProper ? raw : HTTPText.withProperLineEnds(raw)
        guard let response = HTTPText.response(raw) else { return (reply, true) }
        // With a transfer coding other than chunked, the body ends with the connection (RFC 9112 6.3).
        let isCoded = !response.values("transfer-encoding").isEmpty
        let hasEnd =
            (response.length != nil && !isCoded) || response.isChunked || [204, 304].contains(response.status ?? 0)
        let asksToClose = response.values("connection").contains { $0.lowercased().contains("close") }
        let isCut = (response.length ?? 0) > response.body.count && !request.start.hasPrefix("HEAD")
        let closes = !hasEnd || asksToClose || isCut || text.contains("swsclose") || vector.expectsFailure
        return (reply, closes || (vector.servercmd ?? []).contains("swsclose"))
    }
}

extension HTTPText {
    /// The port in the target of CONNECT.
    fileprivate var port: Int { target.split(separator: ":").last.flatMap { Int($0) } ?? 0 }
}

extension Bytes {
    /// Returns a reply with its variables filled in.
    fileprivate func filled(_ vector: CurlCase, _ variables: CurlCommand.Variables?) -> Bytes {
        let text = String(decoding: self, as: UTF8.self)
        guard let variables, text.contains("%"), text.contains("PORT") || text.contains("%HOST") else { return self }
        return Bytes(variables.fill(vector.renamed(text)))
    }
}
