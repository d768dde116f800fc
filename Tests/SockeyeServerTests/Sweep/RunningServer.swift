import Foundation
import SockeyeTestSupport
import SockeyeTesting

/// A running server program of `SweepTests`, which sends the same requests to many servers. It listens on a free port
/// and has a folder of its own.
final class RunningServer: Sendable {
    private let program: ListeningProgram

    init(_ server: SweptServer) throws {
        program = try ListeningProgram(
            server.name, server.executable, command: server.command, beside: Program.resource("sweep")
        ) { folder in
            try Self.fill(folder + "/www")
            if server.isSecure { try Self.certify(folder) }
        }
    }

    var port: Int { program.port }

    static let authority = try! TestCertificateAuthority()

    static let big = Bytes(repeating: Array(0..<251), count: 1 << 20)

    private static func fill(_ folder: String) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: folder + "/cgi-bin", withIntermediateDirectories: true)
        try Data("small\n".utf8).write(to: URL(filePath: folder + "/small.txt"))
        try Data(big).write(to: URL(filePath: folder + "/big.bin"))
        let program = folder + "/cgi-bin/hello"
        try Data("#!/bin/sh\nprintf 'Content-Type: text/plain\\nX-Line: end\\n\\nhello\\n'\n".utf8)
            .write(to: URL(filePath: program))
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        // Servers that drop root privileges must be able to read the folder.
        for path in [(folder as NSString).deletingLastPathComponent, folder, folder + "/cgi-bin"] {
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
    }

    /// Writes a certificate of ``authority`` for this machine, and its key: `server.pem`, `server.key`, and `both.pem`.
    static func certify(_ folder: String) throws {
        let certificate = try authority.issue()
        let (chain, key) = (certificate.chainPEM, certificate.key.pem)
        for (name, text) in [("server.pem", chain), ("server.key", key), ("both.pem", chain + key)] {
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
    }

    func stop() { program.stop() }
}

/// The search for the server programs that `SweepTests` starts.
enum Programs {
    static func find(_ name: String) -> String? { Program.find(name) }

    /// Returns the path of a program that is only usable together with another one.
    static func find(_ name: String, with other: String) -> String? {
        Program.find(other) == nil ? nil : Program.find(name)
    }

    /// Returns the Python interpreter, if a module is installed for it.
    static func module(_ name: String) -> String? {
        guard let python = Program.httpbin else { return nil }
        let libraries = URL(filePath: python).deletingLastPathComponent().deletingLastPathComponent().path + "/lib"
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: libraries)) ?? []
        let isInstalled = folders.contains {
            FileManager.default.fileExists(atPath: "\(libraries)/\($0)/site-packages/\(name)")
        }
        return isInstalled ? python : nil
    }
}
