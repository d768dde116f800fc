import Foundation
import SockeyeTesting

/// A server of the sweep with its folder, on a port that was free.
final class RunningServer: Sendable {
    let port: Int
    private let guardian: Guardian

    init(_ server: SweptServer) throws {
        let folder = try Scratch.makeFolder()
        try Self.fill(folder + "/www")
        if server.isSecure { try Self.certify(folder) }
        port = try Self.twoPorts()
        guardian = try Guardian(
            script: Self.script(server.command), folder: folder,
            arguments: [server.executable ?? "", String(port), Program.resource("sweep")])
        guard guardian.greeting == "ready" else { throw ServerFailure("\(server.name) does not listen") }
    }

    static let authority = try! TestCertificateAuthority()

    static let big = [UInt8]((0..<1 << 20).map { UInt8($0 % 251) })

    private static func fill(_ folder: String) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: folder + "/cgi-bin", withIntermediateDirectories: true)
        try Data("small\n".utf8).write(to: URL(filePath: folder + "/small.txt"))
        try Data(big).write(to: URL(filePath: folder + "/big.bin"))
        let program = folder + "/cgi-bin/hello"
        try Data("#!/bin/sh\nprintf 'Content-Type: text/plain\\nX-Line: end\\n\\nhello\\n'\n".utf8)
            .write(to: URL(filePath: program))
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        // Servers that give root up must be able to read it.
        for path in [(folder as NSString).deletingLastPathComponent, folder, folder + "/cgi-bin"] {
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
    }

    private static func certify(_ folder: String) throws {
        let certificate = try authority.issue()
        let (chain, key) = (certificate.chainPEM, certificate.key.pem)
        for (name, text) in [("server.pem", chain), ("server.key", key), ("both.pem", chain + key)] {
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
    }

    /// One for the server and, next to it, one for what may stand behind it.
    private static func twoPorts() throws -> Int {
        for _ in 0..<100 {
            let port = try FreePorts.take(1)[0]
            if FreePorts.isFree(port + 1) { return port }
        }
        throw ServerFailure("no free ports")
    }

    /// None of them says when it listens; so whoever starts it tries to connect.
    private static func script(_ command: String) -> String {
        """
        program=$2 port=$3 beside=$4 behind=
        \(command)
        server=$!
        listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
        tries=0
        until listens "$port" && { [ -z "$behind" ] || listens $((port + 1)); } || [ $tries -ge 200 ]; do
            sleep 0.05
            tries=$((tries + 1))
        done
        if [ $tries -lt 200 ]; then echo ready; else echo failed; fi
        find() { if [ -n "$behind" ]; then kill "$behind"; fi; }
        """
    }

    func stop() { guardian.stop() }
}

/// Where the programs of the sweep are.
enum Programs {
    static func find(_ name: String) -> String? { Program.find(name) }

    /// A program that is of use only with another.
    static func find(_ name: String, with other: String) -> String? {
        Program.find(other) == nil ? nil : Program.find(name)
    }

    /// The Python that has a module.
    static func module(_ name: String) -> String? {
        guard let python = Program.httpbin else { return nil }
        let libraries = URL(filePath: python).deletingLastPathComponent().deletingLastPathComponent().path + "/lib"
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: libraries)) ?? []
        let isThere = folders.contains {
            FileManager.default.fileExists(atPath: "\(libraries)/\($0)/site-packages/\(name)")
        }
        return isThere ? python : nil
    }
}
