import Foundation
import SockeyeCore
import SockeyeTesting

/// `openssl s_server`, which answers each GET with a page about the connection, over HTTP/1.0.
final class OpenSSLServer: Sendable {
    let port: Int
    private let guardian: Guardian

    /// Starts the server.
    ///
    /// - Parameter stapled: The OCSP response to staple.
    init(_ certificate: TestCertificate, stapled: Bytes? = nil, arguments: [String] = []) throws {
        guard let program = Program.openssl else { throw ServerFailure("openssl is not installed") }
        let folder = try Scratch.makeFolder()
        port = try FreePorts.take(1)[0]
        try Data(certificate.chainPEM.utf8).write(to: URL(filePath: folder + "/cert.pem"))
        try Data(certificate.key.pem.utf8).write(to: URL(filePath: folder + "/key.pem"))
        var options = ["-accept", "127.0.0.1:\(port)", "-www", "-key", folder + "/key.pem"]
        for name in ["-cert", "-cert_chain"] { options += [name, folder + "/cert.pem"] }
        if let stapled {
            try Data(stapled).write(to: URL(filePath: folder + "/stapled.der"))
            options += ["-status_file", folder + "/stapled.der"]
        }
        let script = """
            program=$2
            shift 2
            "$program" s_server "$@" >"$folder/printed" </dev/null &
            server=$!
            tries=0
            until grep -q ACCEPT "$folder/printed" || [ $tries -gt 200 ]; do sleep 0.05; tries=$((tries + 1)); done
            grep -q ACCEPT "$folder/printed" && echo ready || echo failed
            """
        guardian = try Guardian(script: script, folder: folder, arguments: [program] + options + arguments)
        guard guardian.greeting == "ready" else {
            let log = (try? String(contentsOfFile: folder + "/output.log", encoding: .utf8)) ?? ""
            throw ServerFailure("openssl s_server did not start: \(log)")
        }
    }

    func url(host: String = "127.0.0.1") -> String { "https://\(host):\(port)/" }
}
