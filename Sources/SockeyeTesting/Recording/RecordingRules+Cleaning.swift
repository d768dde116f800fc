import Sockeye
import SockeyeHTTP

extension RecordingRules {
    /// Returns the exchange without its secrets.
    func cleaned(_ exchange: RecordedExchange) -> RecordedExchange {
        var exchange = exchange
        exchange.request = cleaned(exchange.request)
        for index in exchange.interims.indices {
            exchange.interims[index].headers = cleaned(exchange.interims[index].headers)
        }
        if let response = exchange.response { exchange.response = cleaned(response) }
        if let failure = exchange.failure { exchange.failure?.message = replaced(failure.message) }
        return exchange
    }

    /// Returns the request without its secrets, and with fixed multipart boundaries, which do not differ between runs.
    func cleaned(_ request: RecordedExchange.Request) -> RecordedExchange.Request {
        var request = request
        let type = request.mediaType
        request.url = replaced(cleanedURL(request.url))
        request.headers = cleaned(request.headers)
        request.trailers = cleaned(request.trailers)
        request.body = cleaned(request.body, type)
        // The boundary is replaced last: finding the secrets of a multipart body needs the original boundary.
        return MultipartNormalization.normalized(request)
    }

    private func cleaned(_ response: RecordedExchange.Response) -> RecordedExchange.Response {
        var response = response
        let type = response.head.headers[.contentType].flatMap { InternetMediaType($0) }
        response.head.headers = cleaned(response.head.headers)
        response.trailers = cleaned(response.trailers)
        let body = cleaned(response.body, type)
        if body != response.body {
            if response.head.headers[.contentLength] == String(response.body.count) {
                response.head.headers[.contentLength] = String(body.count)
            }
            response.body = body
            response.pieces = []
        }
        return response
    }

    // MARK: Fields and URLs

    private static let schemes: Set<String> = ["basic", "bearer", "digest", "negotiate", "ntlm", "token"]

    private func cleaned(_ headers: Headers) -> Headers {
        var result = Headers()
        for (name, value) in headers {
            result.append(name, replaced(masked(value, of: name)))
        }
        return result
    }

    private func masked(_ value: String, of name: Headers.Name) -> String {
        if removes(name) { return Self.withoutSecret(value, of: name) }
        return keeps(name) ? value : urlMask.masking(value, of: name)
    }

    /// Masks a secret field but keeps its public parts: the scheme of credentials if it is in `schemes`, the names of
    /// cookies, and the attributes of Set-Cookie.
    private static func withoutSecret(_ value: String, of name: Headers.Name) -> String {
        switch name {
        case .authorization, .proxyAuthorization:
            let scheme = value.prefix { $0 != " " }
            let isScheme = scheme.count < value.count && schemes.contains(scheme.lowercased())
            return isScheme ? "\(scheme) \(mark)" : mark
        case .cookie:
            return value.split(separator: ";").map { withoutValue($0) }.joined(separator: "; ")
        case .setCookie:
            let parts = value.split(separator: ";", omittingEmptySubsequences: false)
            return ([withoutValue(parts.first ?? "")] + parts.dropFirst().map(String.init)).joined(separator: ";")
        default: return mark
        }
    }

    private static func withoutValue(_ pair: Substring) -> String {
        let pair = pair.drop { $0 == " " }
        guard let sign = pair.firstIndex(of: "=") else { return mark }
        // An empty value deletes a cookie and is not a secret.
        let value = pair[pair.index(after: sign)...]
        return value.isEmpty || value == "\"\"" ? String(pair) : "\(pair[..<sign])=\(mark)"
    }

    /// Returns a URL or relative reference without user information or the values of secret query and fragment items.
    func cleanedURL(_ text: String) -> String { urlMask.masking(reference: text) }

    private var urlMask: SecretItemMask { SecretItemMask(mark: Self.mark, isSecret: removesQueryItem) }

    /// Applies the user's replacements and rewrites to a text.
    func replaced(_ text: String) -> String {
        let replaced = replacements.reduce(text) { Self.replacing($1.text, with: $1.substitute, in: $0) }
        return rewrites.reduce(replaced) { $1($0) }
    }

    /// Replaces the bytes of a pattern, also before a combining mark, a variation selector or a joiner, which belong to
    /// the same `Character`. Also replaces text that is canonically equivalent to the pattern.
    private static func replacing(_ pattern: String, with substitute: String, in text: String) -> String {
        text.utf8.split(separator: pattern.utf8, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self).replacing(pattern, with: substitute) }
            .joined(separator: substitute)
    }
}
