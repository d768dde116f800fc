import Sockeye
import SockeyeDiagnostics

/// Fields for people, whose secrets are replaced by `***`.
///
/// The library's commands for curl mask fields by its one list of secret names; a command is made for each field to
/// apply the same list here.
package struct MaskedFields: Sendable {
    package let lines: [String]

    /// - Parameter showsSecrets: True to mask nothing.
    package init(_ headers: Headers, showsSecrets: Bool) {
        lines = headers.map { "\($0.name): \(showsSecrets ? $0.value : Self.masked($0.name, $0.value))" }
    }

    private static func masked(_ name: Headers.Name, _ value: String) -> String {
        if "\(name)".lowercased() == "proxy-authorization" { return "***" }
        guard var request = try? OutgoingRequest(method: .get, url: "http://localhost/") else { return "***" }
        // Escaped before, because a curl command shows `***` for a text on which a terminal would act.
        let value = TerminalText.escaping(value)
        request.headers = [name: value]
        let fields = SentHead.fields(of: request.curlCommand())
        // Commands omit fields that curl writes itself, such as Content-Length, which are no secrets.
        return fields.first.map { String($0.dropFirst("\(name): ".count)) } ?? value
    }
}
