import Foundation
import Sockeye

/// A Python server that parses forms with werkzeug or python-multipart and returns the parts.
final class MultipartParserServer: Sendable {
    /// A part as a parser found it.
    struct Part: Decodable, Sendable, Hashable {
        var name: String?
        var filename: String?
        var type: String?
        var size: Int
        var sha256: String
    }

    enum Parser: String, CaseIterable, Sendable {
        case werkzeug
        case pythonMultipart = "python-multipart"
    }

    /// True if the virtual environment of httpbin has both parsers. An environment that was made before they were
    /// required lacks them.
    static let isInstalled: Bool = {
        guard let python = Program.httpbin else { return false }
        let ready = URL(filePath: python).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "ready")
        return (try? String(contentsOf: ready, encoding: .utf8))?.contains("python-multipart") == true
    }()
    static let missing = "python-multipart is not installed; Scripts/install-deps.sh test installs it"
    static let shared = Result { try MultipartParserServer() }

    private let guardian: Guardian

    private init() throws {
        guardian = try PythonServer.start(Program.httpbin ?? "", script: "multipart_server.py")
    }

    func parse(_ form: MultipartForm, with parser: Parser) async throws -> [Part] {
        var request = try OutgoingRequest(
            method: .post, url: "http://127.0.0.1:\(guardian.greeting)/\(parser.rawValue)")
        try request.setBody(form)
        return try await HTTPClient().send(request, as: .json([Part].self))
    }
}
