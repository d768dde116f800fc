import Foundation
import Glibc
import Sockeye
import SockeyeTesting

/// An nginx for tests: seven servers on ports of 127.0.0.1, one of them also on a unix-domain socket and ::1.
final class NginxServer: Sendable {
    /// The folder of its configuration, files, uploads and sockets. It is removed when the server stops.
    let folder: String
    let authority: TestCertificateAuthority
    private let ports: [String: Int]
    private let guardian: Guardian

    static let isInstalled = Program.nginx != nil
    static let missing = "nginx is not installed; Scripts/install-deps.sh test installs it"

    /// The server that most tests share, started by the first of them.
    static let shared = Result { try NginxServer() }

    /// Starts a server, on `wanted` if a previous server had those ports.
    init(ports wanted: [String: Int]? = nil) throws {
        guard let program = Program.nginx else { throw ServerFailure(Self.missing) }
        folder = try Scratch.makeFolder()
        authority = try TestCertificateAuthority()
        let names = ["HTTP", "HTTPS", "TLS12", "TLS13", "MUTUAL", "GOOD", "REVOKED"]
        ports = try wanted ?? Dictionary(uniqueKeysWithValues: zip(names, FreePorts.take(names.count)))
        try NginxFiles(folder: folder, ports: ports, authority: authority).write()
        let script = Daemon.script(#""$2" -e "$1/error.log" -p "$1" -c "$1/nginx.conf""#, pidFile: "nginx.pid")
        guardian = try Guardian(script: script, folder: folder, arguments: [program])
        guard guardian.greeting == "ready" else {
            let log = (try? String(contentsOfFile: folder + "/output.log", encoding: .utf8)) ?? ""
            throw ServerFailure("nginx did not start: \(log)")
        }
    }

    /// Ends the server and removes its folder.
    func stop() {
        guardian.stop()
    }

    /// Starts a new server on the same ports after this one was stopped.
    func restarted() throws -> NginxServer {
        try NginxServer(ports: ports)
    }

    // MARK: Where it is

    func url(_ path: String, over scheme: Scheme = .http) -> String {
        "\(scheme == .http ? "http" : "https")://127.0.0.1:\(port(scheme.rawValue))\(path)"
    }

    enum Scheme: String, CaseIterable, Sendable {
        case http = "HTTP"
        case https = "HTTPS"
    }

    func port(_ name: String) -> Int { ports[name] ?? 0 }

    var unixSocket: String { folder + "/http.sock" }

    // MARK: Who may speak to it

    /// Makes a client that trusts the server's authority.
    func client(_ change: (inout HTTPClient.Configuration) -> Void = { _ in }) -> HTTPClient {
        var configuration = HTTPClient.Configuration(tls: TLSOptions(roots: authority.roots))
        change(&configuration)
        return HTTPClient(configuration: configuration)
    }
}
