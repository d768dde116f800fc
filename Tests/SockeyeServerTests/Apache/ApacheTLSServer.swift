import Foundation
import Glibc
import SockeyeTesting

/// An Apache server with mod_ssl that requests a client certificate only for the files in `/private`.
final class ApacheTLSServer: Sendable {
    static let modules = "/usr/lib/apache2/modules"
    static let isInstalled = Program.apache != nil && FileManager.default.fileExists(atPath: modules + "/mod_ssl.so")
    static let missing = "Apache with mod_ssl is not installed; Scripts/install-deps.sh test installs it"

    private let port: Int
    private let guardian: Guardian

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - protocolName: The version of TLS in SSLProtocol's notation.
    ///   - certificate: The server's certificate.
    ///   - authority: The authority that issues the client certificates.
    init(_ protocolName: String, _ certificate: TestCertificate, clients authority: TestCertificateAuthority) throws {
        guard let program = Program.apache else { throw ServerFailure(Self.missing) }
        let folder = try Scratch.makeFolder()
        port = try FreePorts.take(1)[0]
        let isRoot = geteuid() == 0
        if isRoot { unsafe chmod(folder, 0o755) }
        for name in ["run", "files", "files/private"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
        }
        var text = try String(contentsOfFile: Program.resource("apache-tls.conf"), encoding: .utf8)
        let replacements = [
            "ROOT": folder, "PORT": String(port), "MODULES": Self.modules, "PROTOCOL": protocolName,
            "USER": isRoot ? "User #65534\nGroup #65534" : "",
        ]
        for (name, value) in replacements { text = text.replacing("@\(name)@", with: value) }
        let files = [
            "apache.conf": text, "server.pem": certificate.chainPEM, "server.key": certificate.key.pem,
            "root.pem": authority.pem, "files/hello": "hello\n", "files/private/hello": "hello, friend\n",
        ]
        for (name, content) in files {
            try content.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
        }
        let script = Daemon.script(
            #""$2" -d "$1" -f "$1/apache.conf" -E "$1/output.log" -k start"#, pidFile: "apache.pid")
        guardian = try Guardian(script: script, folder: folder, arguments: [program])
        guard guardian.greeting == "ready" else {
            let log = (try? String(contentsOfFile: folder + "/output.log", encoding: .utf8)) ?? ""
            throw ServerFailure("Apache did not start: \(log)")
        }
    }

    func url(_ path: String) -> String { "https://127.0.0.1:\(port)\(path)" }
}
