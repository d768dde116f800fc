import Sockeye

/// Advice for a user about a failure.
package enum Hint {
    /// Returns one sentence of advice; nil without advice.
    package static func text(_ failure: FailureFacts) -> String? {
        switch failure.code {
        case .invalidURL: url(failure)
        case .tlsFailed: tls(failure)
        case .timeout: timeout(failure)
        case .connectFailed: connect(failure)
        case .malformedResponse, .connectionClosed: plainToTLS(failure)
        case .limitExceeded, .redirectRefused, .redirectLoop: limit(failure)
        case .unacceptableStatus: status(failure)
        case .insecureCredentials:
            failure.url.flatMap { "did you mean \(secured($0))? --plaintext-credentials sends them as they are" }
        case .proxyFailed: "--no-proxy goes without, and --proxy http://user:password@host:port brings credentials"
        case .resolutionFailed: resolve(failure)
        case .fileExists: "--output names another file"
        case .badConfiguration where failure.tlsReason != nil:
            "--cacert, --cert and --key take files in PEM form; --pass is for an encrypted key"
        default: nil
        }
    }

    // MARK: URLs

    private static func url(_ failure: FailureFacts) -> String? {
        guard let asked = failure.asked else { return nil }
        if let first = asked.first, "{[".contains(first), asked.contains(":") || asked.contains(",") {
            return "JSON is sent by --json '…'; --as-json asks for output that machines read"
        }
        if failure.urlFault == .control || asked.contains(" ") {
            return "put the URL into quotes, and write blanks as %20"
        }
        return suggestion(for: asked).map { "did you mean \(MaskedURL.text($0))?" }
    }

    /// Returns the URL that the user probably meant with a text that is not a URL; nil if no guess is likely.
    package static func suggestion(for text: String) -> String? {
        let scheme = text.prefix { $0.isASCII && $0.isLetter }
        let rest = text.dropFirst(scheme.count)
        var candidate: String?
        if !scheme.isEmpty,
            rest.hasPrefix(":/") || rest.hasPrefix("//") || rest.hasPrefix(";//") || rest.hasPrefix(":\\")
        {
            guard let meant = meantScheme(scheme.lowercased()) else { return nil }
            let behind = rest.drop { ":;/\\".contains($0) }
            candidate = "\(meant)://\(behind)"
        } else if text.hasPrefix("//") {
            candidate = "https:\(text)"
        } else if text.hasPrefix(":") {
            // httpie's shorthand for a server of this machine.
            candidate =
                "http://localhost" + (text.dropFirst().first?.isNumber == true ? text : String(text.dropFirst()))
        } else if !text.isEmpty, !text.hasPrefix("-"), !text.hasPrefix("/"),
            !text.prefix(while: { $0 != "/" }).contains("@")
        {
            candidate = (isLocal(text) ? "http://" : "https://") + text
        }
        guard let candidate, candidate != text, let url = try? HTTPURL(candidate) else { return nil }
        // A text with neither a dot nor a port is probably not a host.
        guard url.host.contains(".") || url.isIPLiteral || isLocal(url.host) || candidate.dropFirst(8).contains(":")
        else { return nil }
        return candidate
    }

    /// Returns http or https if the written scheme differs from it in one letter at most; nil otherwise.
    private static func meantScheme(_ written: String) -> String? {
        ["https", "http"].map { ($0, distance(written, $0)) }.filter { $0.1 <= 1 }.min { $0.1 < $1.1 }?.0
    }

    private static func isLocal(_ text: String) -> Bool {
        let host = text.prefix { !"/?#".contains($0) }
        let name = host.hasPrefix("[") ? host : host.prefix { $0 != ":" }
        return name == "localhost" || name.hasSuffix(".localhost") || name.hasPrefix("127.") || name.hasPrefix("[::1]")
    }

    /// Returns the Levenshtein distance of two short words.
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let replaced = diagonal + (a == b ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }

    // MARK: Connections

    private static func resolve(_ failure: FailureFacts) -> String? {
        guard let url = failure.url else { return nil }
        return "check how \(url.host) is spelled; --resolve \(url.host):\(url.port):ADDRESS goes without DNS"
    }

    private static func connect(_ failure: FailureFacts) -> String? {
        guard let url = failure.url else { return nil }
        if failure.blame == .policy { return nil }
        let asked = failure.asked ?? ""
        let hasPort = asked.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }.contains(":")
        if isLocal(url.host) || url.host == "::1", !hasPort {
            return "is the server at another port, such as \(url.scheme)://\(url.host):8080/?"
        }
        return "is a server listening at port \(url.port) of \(url.host)?"
    }

    /// Returns advice for a request that may have gone to a TLS server in plain http. Such a server answers with an
    /// alert, with data that is not HTTP, or not at all.
    private static func plainToTLS(_ failure: FailureFacts) -> String? {
        guard let url = failure.url, url.scheme == .http, failure.phase == .head else { return nil }
        return "if the server expects TLS: did you mean \(secured(url))?"
    }

    private static func tls(_ failure: FailureFacts) -> String? {
        switch failure.tlsReason {
        case .notTLS: failure.url.map { "did you mean \(plain($0))?" }
        case .selfSigned, .untrustedRoot, .missingIntermediate:
            "--cacert FILE trusts the authority that has signed it; --insecure trusts anybody, for tests only"
        case .hostNameMismatch:
            failure.url.map { "the certificate is for other names than \($0.host): is the URL right?" }
        case .certificateExpired, .certificateNotYetValid: "is the clock of this machine right?"
        case .pinMismatch: "the server has another key than --pin names, or an attacker intercepts the connection"
        case .alert, .handshakeClosed: "if the server wants a certificate: --cert FILE --key FILE"
        default: nil
        }
    }

    private static func secured(_ url: HTTPURL) -> String {
        "https" + url.debugDescription.dropFirst(url.scheme.rawValue.count)
    }

    private static func plain(_ url: HTTPURL) -> String {
        "http" + url.debugDescription.dropFirst(url.scheme.rawValue.count)
    }

    // MARK: Policies

    private static func timeout(_ failure: FailureFacts) -> String? {
        if failure.limit == "timeouts.total" { return "--max-time SECONDS gives it more" }
        if failure.phase == .tls, let url = failure.url {
            return "if the server speaks no TLS: did you mean \(plain(url))?"
        }
        return failure.phase == .connect ? "--connect-timeout SECONDS gives it more" : nil
    }

    private static func limit(_ failure: FailureFacts) -> String? {
        switch failure.code {
        case .limitExceeded where failure.limit == "maximumCount":
            "--max-redirs NUMBER follows more, and --no-redirects shows the first"
        case .redirectRefused, .redirectLoop: "--no-redirects shows the response as it is"
        default: nil
        }
    }

    private static func status(_ failure: FailureFacts) -> String? {
        switch failure.status {
        case 401: "--user NAME:PASSWORD, --digest with it, or --bearer TOKEN bring credentials"
        case 405: "--method NAME sends another method"
        case 407: "--proxy http://user:password@host:port brings credentials"
        case 429, 503: "--retry NUMBER comes again when the server is ready"
        default: nil
        }
    }
}
