import Sockeye

/// A variable of `--write-out`, with curl's name and meaning.
package enum WriteOutVariable: String, Sendable, CaseIterable {
    case contentType = "content_type"
    case errorMessage = "errormsg"
    case exitCode = "exitcode"
    case fileName = "filename_effective"
    case fields = "header_json"
    case httpCode = "http_code"
    case httpVersion = "http_version"
    case method
    case connections = "num_connects"
    case fieldCount = "num_headers"
    case redirects = "num_redirects"
    case redirectURL = "redirect_url"
    case remoteIP = "remote_ip"
    case remotePort = "remote_port"
    case responseCode = "response_code"
    case scheme
    case downloadSize = "size_download"
    case uploadSize = "size_upload"
    case downloadSpeed = "speed_download"
    case uploadSpeed = "speed_upload"
    case verification = "ssl_verify_result"
    case handshakeTime = "time_appconnect"
    case connectTime = "time_connect"
    case lookupTime = "time_namelookup"
    case sendTime = "time_pretransfer"
    case redirectTime = "time_redirect"
    case headTime = "time_starttransfer"
    case totalTime = "time_total"
    case url
    case effectiveURL = "url_effective"

    package func text(_ facts: TransferFacts) -> String {
        switch self {
        case .contentType: facts.headers["Content-Type"] ?? ""
        case .errorMessage: facts.errorMessage
        case .exitCode: "\(facts.exitStatus)"
        case .fileName: facts.fileName
        case .fields: Self.json(facts.headers)
        case .httpCode, .responseCode: Self.code(facts.status)
        case .httpVersion: facts.minorVersion.map { "1.\($0)" } ?? "0"
        case .method: facts.method
        case .fieldCount: "\(facts.headers.count)"
        case .redirects: "\(facts.redirects)"
        case .redirectURL: facts.redirectURL
        case .scheme: facts.effectiveURL.prefix { $0 != ":" }.uppercased()
        case .verification: "0"
        case .url: facts.url
        case .effectiveURL: facts.effectiveURL
        default: measured(facts)
        }
    }

    /// Returns the text of a variable that comes from the metrics.
    private func measured(_ facts: TransferFacts) -> String {
        let last = facts.metrics?.exchanges.last
        let total = facts.metrics?.duration ?? facts.elapsed
        return switch self {
        case .connections:
            "\(facts.metrics?.exchanges.count { $0.connection.map { !$0.isReused } ?? false } ?? 0)"
        case .remoteIP: Self.address(last).host
        case .remotePort: Self.address(last).port
        case .downloadSize: "\(last?.bodyBytesReceived ?? 0)"
        case .uploadSize: "\(last?.bodyBytesSent ?? 0)"
        case .downloadSpeed: Self.rate(last?.bodyBytesReceived ?? 0, in: total)
        case .uploadSpeed: Self.rate(last?.bodyBytesSent ?? 0, in: total)
        case .lookupTime: Self.seconds(last.flatMap { Self.opening($0, steps: 1) })
        case .connectTime: Self.seconds(last.flatMap { Self.opening($0, steps: 2) })
        case .handshakeTime: Self.seconds(last?.connection?.handshaking == nil ? nil : last?.connected)
        case .sendTime: Self.seconds(last?.connected)
        case .headTime: Self.seconds(last?.headReceived)
        case .redirectTime: Self.seconds(facts.redirects > 0 ? last?.start : nil)
        default: Self.seconds(total)
        }
    }

    /// Returns three digits; `000` without a response.
    private static func code(_ status: Int?) -> String {
        String("\(1000 + (status ?? 0))".dropFirst())
    }

    /// Returns seconds with six digits after the point.
    private static func seconds(_ duration: Duration?) -> String {
        Figures.fixed((duration ?? .zero) / .seconds(1), 6)
    }

    /// Returns bytes per second.
    private static func rate(_ bytes: Int, in duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        return seconds > 0 ? Figures.fixed(Double(bytes) / seconds, 0) : "0"
    }

    /// Returns the point in time after the first steps of opening a connection: resolving, connecting. The steps end
    /// when the exchange has its connection.
    private static func opening(_ exchange: CallMetrics.Exchange, steps: Int) -> Duration? {
        guard let connection = exchange.connection, let connected = exchange.connected else { return nil }
        guard !connection.isReused else { return connected }
        var end = connected - (connection.handshaking ?? .zero)
        if steps == 1 { end -= connection.connecting }
        return max(exchange.start, end)
    }

    /// Returns host and port of an address such as `[::1]:443`; an empty host and port 0 for a unix-domain socket.
    private static func address(_ exchange: CallMetrics.Exchange?) -> (host: String, port: String) {
        guard let text = exchange?.connection?.remoteAddress, !text.hasPrefix("unix:"),
            let colon = text.lastIndex(of: ":")
        else { return ("", "0") }
        let host = text[..<colon].drop { $0 == "[" }.prefix { $0 != "]" }
        return (String(host), String(text[text.index(after: colon)...]))
    }

    /// Returns an object with an array of values for each name in lower case, as curl does.
    private static func json(_ headers: Headers) -> String {
        var members: [(String, JSONValue)] = []
        for field in headers {
            let name = "\(field.name)".lowercased()
            guard !members.contains(where: { $0.0 == name }) else { continue }
            members.append((name, .array(headers[values: field.name].map { .string($0) })))
        }
        return JSONValue.object(JSONValue.Object(members)).string(options: .withoutEscapingSlashes)
    }
}
