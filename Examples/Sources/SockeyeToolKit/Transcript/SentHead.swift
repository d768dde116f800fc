import Sockeye
import SockeyeDiagnostics

/// The head of a request as it is sent, for `--verbose`.
package struct SentHead: Sendable {
    package let lines: [String]

    /// - Parameters:
    ///   - request: The request as it leaves the interceptors.
    ///   - command: The same request with the client's default fields as a command for curl, in which secrets are
    ///     masked unless they are shown.
    package init(_ request: OutgoingRequest, _ command: OutgoingRequest.CurlCommand) {
        let url = command.arguments.last.flatMap { try? HTTPURL($0) } ?? request.url
        let target = (url.path.isEmpty ? "/" : url.path) + (url.query.map { "?\($0)" } ?? "")
        var fields = Self.fields(of: command)
        if !fields.contains(where: { $0.lowercased().hasPrefix("host:") }) {
            fields.insert("Host: \(url.authority)", at: 0)
        }
        let announcesContent = command.arguments.contains { $0 == "--data-raw" || $0 == "--data-binary" }
        if announcesContent, let length = request.body.length { fields.append("Content-Length: \(length)") }
        lines = ["\(request.method) \(target) HTTP/1.1"] + fields
    }

    /// Returns the fields that a command sends.
    static func fields(of command: OutgoingRequest.CurlCommand) -> [String] {
        let arguments = command.arguments
        return zip(arguments, arguments.dropFirst()).compactMap { option, value in
            guard option == "--header" else { return nil }
            if value.hasSuffix(";"), !value.contains(":") { return value.dropLast() + ": " }
            // A name and a colon alone keep a default field of curl from being sent.
            return value.firstIndex(of: ":") == value.indices.last ? nil : value
        }
    }
}
