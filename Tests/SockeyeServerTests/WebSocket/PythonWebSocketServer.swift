import Foundation

/// `websockets` and `wsproto`, two independent Python implementations, as echo servers.
final class PythonWebSocketServer: Sendable {
    enum Library: Int, CaseIterable, Sendable {
        case websockets
        case wsproto
    }

    /// True if the virtual environment of httpbin has both libraries. An environment that was made before they were
    /// required lacks them.
    static let isInstalled: Bool = {
        guard let python = Program.httpbin else { return false }
        let ready = URL(filePath: python).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "ready")
        return (try? String(contentsOf: ready, encoding: .utf8))?.contains("wsproto") == true
    }()
    static let missing = "websockets and wsproto are not installed; Scripts/install-deps.sh test installs them"
    static let shared = Result { try PythonWebSocketServer() }

    private let guardian: Guardian
    private let ports: [String]

    /// Starts the servers.
    ///
    /// - Parameter unixSocket: The path of a socket on which `websockets` listens as well.
    init(unixSocket: String? = nil) throws {
        guardian = try Guardian(
            script: #""${@:2}" & server=$!"#, folder: Scratch.makeFolder(),
            arguments: [Program.httpbin ?? "", Program.resource("websocket_server.py")]
                + (unixSocket.map { [$0] } ?? []))
        ports = guardian.greeting.split(separator: " ").map(String.init)
        guard ports.count == 2 else { throw ServerFailure("websocket_server.py did not start") }
    }

    func url(_ library: Library, _ path: String = "/") -> String {
        "ws://127.0.0.1:\(ports[library.rawValue])\(path)"
    }
}
