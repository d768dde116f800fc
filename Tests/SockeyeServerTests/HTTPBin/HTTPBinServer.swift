import Foundation
import Sockeye

/// httpbin in its own Python server, on a port that the kernel chooses; one server for all tests.
final class HTTPBinServer: Sendable {
    private let port: String
    private let guardian: Guardian

    static let isInstalled = Program.httpbin != nil
    static let missing = "httpbin is not installed; Scripts/install-deps.sh test installs it"
    static let shared = Result { try HTTPBinServer() }

    private init() throws {
        guard let python = Program.httpbin else { throw ServerFailure(Self.missing) }
        guardian = try PythonServer.start(python, script: "httpbin_server.py")
        port = guardian.greeting
    }

    /// The host and port as in the Host field.
    var authority: String { "127.0.0.1:\(port)" }

    func url(_ path: String) -> String { "http://\(authority)\(path)" }
}

/// Starts Python scripts that print their port.
enum PythonServer {
    static func start(_ python: String, script: String) throws -> Guardian {
        let guardian = try Guardian(
            script: #""$2" "$3" & server=$!"#, folder: Scratch.makeFolder(),
            arguments: [python, Program.resource(script)])
        guard Int(guardian.greeting) != nil else { throw ServerFailure("\(script) did not start") }
        return guardian
    }
}
