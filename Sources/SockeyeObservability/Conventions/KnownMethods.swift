package import HTTPTypes
import SockeyeEngine

/// The methods that OpenTelemetry's attribute `http.request.method` may contain. For every other method the attribute
/// is `_OTHER`, so that methods invented by callers cannot create an unlimited number of metric series.
package struct KnownMethods: Sendable {
    /// OpenTelemetry's environment variable with a comma-separated list of methods, which replaces the usual methods.
    package static let variable = "OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS"
    /// The known methods of this process; the variable is read once.
    package static let ofProcess = KnownMethods(EnvironmentVariables.process[variable])

    /// The methods of RFC 9110 9.3, PATCH (RFC 5789) and QUERY.
    private static let usual: Set<String> = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
    ]

    private let names: Set<String>
    /// True if GET is known. GET is the most frequent method, and comparing costs less than hashing.
    private let hasGet: Bool

    /// Parses the value of ``variable``. An empty or missing value stands for the usual methods.
    package init(_ list: String?) {
        let own = (list ?? "").split(separator: ",").map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }
        names = own.isEmpty ? Self.usual : Set(own)
        hasGet = names.contains("GET")
    }

    package func contains(_ method: HTTPRequest.Method) -> Bool {
        hasGet && method == .get || names.contains(method.rawValue)
    }
}
