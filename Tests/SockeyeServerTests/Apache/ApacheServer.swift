import Foundation
import Glibc
import Sockeye

/// An Apache server for tests on a port of 127.0.0.1, with its modules for Digest and Basic.
final class ApacheServer: Sendable {
    /// The folder of its configuration, files and logs. It is removed when the server stops.
    let folder: String
    private let port: Int
    private let guardian: Guardian

    /// The folder of the modules in Debian.
    private static let modules = "/usr/lib/apache2/modules"
    static let isInstalled =
        Program.apache != nil && FileManager.default.fileExists(atPath: modules + "/mod_auth_digest.so")
    static let missing = "Apache is not installed; Scripts/install-deps.sh test installs it"

    /// The server that most tests share, started by the first of them.
    static let shared = Result { try ApacheServer() }

    /// User names and passwords. The second pair needs every escape of a quoted string.
    static let users = [("ada", "love lace"), (#"gr"a\ce"#, #"hop"\per"#)]
    static let user = users[0].0
    static let password = users[0].1
    /// The content of `/hello` and `/digest/hello`; `/packed` repeats it.
    static let hello = "hello from Apache\n"
    static let packed = String(repeating: hello, count: 5000)

    /// Starts a server, on `wanted` if a previous server had that port.
    init(port wanted: Int? = nil) throws {
        guard let program = Program.apache else { throw ServerFailure(Self.missing) }
        folder = try Scratch.makeFolder()
        port = try wanted ?? FreePorts.take(1)[0]
        try Self.write(to: folder, port: port)
        // -E: the file for messages before the log is open.
        let script = Daemon.script(
            #""$2" -d "$1" -f "$1/apache.conf" -E "$1/output.log" -k start"#, pidFile: "apache.pid")
        guardian = try Guardian(script: script, folder: folder, arguments: [program])
        guard guardian.greeting == "ready" else {
            let log = (try? String(contentsOfFile: folder + "/output.log", encoding: .utf8)) ?? ""
            throw ServerFailure("Apache did not start: \(log)")
        }
    }

    private static func write(to folder: String, port: Int) throws {
        for name in ["run", "files", "files/digest", "files/domain", "files/basic"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
        }
        var text = try String(contentsOfFile: Program.resource("apache.conf"), encoding: .utf8)
        // If started as root, Apache serves as another user, which can read the folder only if all users can.
        let isRoot = geteuid() == 0
        if isRoot { unsafe chmod(folder, 0o755) }
        let replacements = [
            "ROOT": folder, "PORT": String(port), "MODULES": modules,
            "USER": isRoot ? "User #65534\nGroup #65534" : "",
        ]
        for (name, value) in replacements { text = text.replacing("@\(name)@", with: value) }
        let entries = users.map { user, password in
            let key = Digest.hexadecimal(of: "\(user):sea:\(password)", by: .md5)
            return "\(user):sea:\(key)\n"
        }
        // The password of ada as SHA-1, in the format of htpasswd.
        let sum = Data(Digest.of(Bytes(password), by: .sha1)).base64EncodedString()
        let files = [
            "apache.conf": text, "htdigest": entries.joined(), "htpasswd": "\(user):{SHA}\(sum)\n",
            "files/hello": hello, "files/digest/hello": hello, "files/digest/once": hello,
            "files/digest/short": hello, "files/digest/counted": hello, "files/domain/hello": hello,
            "files/basic/hello": hello, "files/packed": packed, "files/digest/packed": packed,
        ]
        for (name, content) in files {
            try content.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
            // Entity tags of files changed within the last second are weak, so ranges cannot use them.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: "\(folder)/\(name)")
        }
    }

    /// Ends the server and removes its folder.
    func stop() {
        guardian.stop()
    }

    /// Starts a new server on the same port after this one was stopped. It makes nonces with another secret.
    func restarted() throws -> ApacheServer {
        try ApacheServer(port: port)
    }

    /// Returns a URL; requests to it can be found in the log by `mark`.
    func url(_ path: String, mark: String? = nil) -> String {
        "http://127.0.0.1:\(port)\(path)" + (mark.map { "?" + $0 } ?? "")
    }
}
