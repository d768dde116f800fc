import Sockeye
import SockeyeHTTP
import SockeyeSerialization

extension RecordingRules {
    /// An exchange without what is to be removed.
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

    /// A request without what is to be removed, and with boundaries of multipart content that are the same each time.
    func cleaned(_ request: RecordedExchange.Request) -> RecordedExchange.Request {
        var request = MultipartNormalization.normalized(request)
        let type = request.mediaType
        request.url = replaced(cleanedURL(request.url))
        request.headers = cleaned(request.headers)
        request.trailers = cleaned(request.trailers)
        request.body = cleaned(request.body, type)
        return request
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

    private static let urlFields: Set<FieldName> = [.location, "Content-Location", "Referer"]
    private static let schemes: Set<String> = ["basic", "bearer", "digest", "negotiate", "ntlm", "token"]

    private func cleaned(_ headers: Headers) -> Headers {
        var result = Headers()
        for (name, value) in headers {
            var text = value
            if removes(name) {
                text = Self.withoutSecret(value, of: name)
            } else if Self.urlFields.contains(name) {
                text = cleanedURL(value)
            }
            result.append(name, replaced(text))
        }
        return result
    }

    /// The parts of a field that are not secret: the scheme of credentials, names of cookies, attributes of a cookie that is set.
    private static func withoutSecret(_ value: String, of name: FieldName) -> String {
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
        // An empty value is how a cookie is deleted, and no secret.
        let value = pair[pair.index(after: sign)...]
        return value.isEmpty || value == "\"\"" ? String(pair) : "\(pair[..<sign])=\(mark)"
    }

    /// A URL, or a reference, without user information and the values of secret items of its query and fragment.
    func cleanedURL(_ text: String) -> String {
        var text = text
        if let start = text.firstRange(of: "//")?.upperBound, !text[..<start].contains(where: { "?#".contains($0) }) {
            let authority = text[start...].prefix { !"/?#".contains($0) }
            if let sign = authority.lastIndex(of: "@") { text.removeSubrange(start...sign) }
        }
        return SecretItemMask(mark: Self.mark, isSecret: removesQueryItem).masking(url: text)
    }

    // MARK: Bodies

    private func cleaned(_ body: Bytes, _ type: InternetMediaType?) -> Bytes {
        guard !body.isEmpty, var text = String(validating: body, as: UTF8.self) else { return body }
        if type?.essence == "application/x-www-form-urlencoded" {
            text = SecretItemMask(mark: Self.mark, isSecret: removesFormItem).masking(items: text)
        } else if let value = try? JSONValue(parsing: body), !value.isFragment {
            var isChanged = false
            let cleaned = withoutMembers(value, &isChanged)
            let options: JSONValue.WritingOptions = text.utf8.contains(0x0A) ? .prettyPrinted : []
            if isChanged { text = cleaned.string(options: options.union(.withoutEscapingSlashes)) }
        }
        return Bytes(replaced(text))
    }

    /// A value without the values of secret members. The parser has limited how deep it is.
    private func withoutMembers(_ value: JSONValue, _ isChanged: inout Bool) -> JSONValue {
        switch value {
        case .array(let values): return .array(values.map { withoutMembers($0, &isChanged) })
        case .object(let object):
            return .object(
                JSONValue.Object(
                    object.map { key, value in
                        if removesMember(key), value != .null {
                            isChanged = true
                            return (key, .string(Self.mark))
                        }
                        let value = isSecretMember(key) ? withoutStrings(value, &isChanged) : value
                        return (key, withoutMembers(value, &isChanged))
                    }))
        default: return value
        }
    }

    /// A string, or the strings of an array, replaced by the mark. An empty string is no secret.
    private func withoutStrings(_ value: JSONValue, _ isChanged: inout Bool) -> JSONValue {
        switch value {
        case .string(let text) where !text.isEmpty:
            isChanged = true
            return .string(Self.mark)
        case .array(let values): return .array(values.map { withoutStrings($0, &isChanged) })
        default: return value
        }
    }

    /// A text with the replacements and rewrites of the user.
    private func replaced(_ text: String) -> String {
        let replaced = replacements.reduce(text) { $0.replacing($1.text, with: $1.substitute) }
        return rewrites.reduce(replaced) { $1($0) }
    }
}

/// Multipart requests with boundaries that do not differ from run to run.
enum MultipartNormalization {
    private static let parameter = Array("boundary=".utf8)
    private static let prefix = "recorded-boundary"

    static func normalized(_ request: RecordedExchange.Request) -> RecordedExchange.Request {
        guard let type = request.mediaType, type.type == "multipart", let outer = type["boundary"], !outer.isEmpty
        else {
            return request
        }
        var request = request
        var body = Array(request.body)
        var boundaries = [outer]
        // Nested multipart content names its boundary in the fields of a part.
        for boundary in nested(in: body) where !boundaries.contains(boundary) { boundaries.append(boundary) }
        // The longest first: one may be the start of another.
        for (index, boundary) in boundaries.enumerated().sorted(by: { $0.element.utf8.count > $1.element.utf8.count }) {
            let name = index == 0 ? prefix : "\(prefix)-\(index)"
            body = replacing(Array(boundary.utf8), with: Array(name.utf8), in: body)
        }
        request.headers[.contentType] = request.headers[.contentType]?.replacing(outer, with: prefix)
        request.body = Bytes(body)
        return request
    }

    private static func nested(in body: [UInt8]) -> [String] {
        var found: [String] = []
        var position = 0
        while found.count < 8, let start = find(parameter, in: body, from: position) {
            var rest = body[(start + parameter.count)...]
            if rest.first == UInt8(ascii: "\"") { rest = rest.dropFirst() }
            let value = rest.prefix { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: ";") }
            // Long enough that nothing else is meant by it.
            if value.count >= 8 { found.append(String(decoding: value, as: UTF8.self)) }
            position = value.endIndex
        }
        return found
    }

    private static func replacing(_ pattern: [UInt8], with substitute: [UInt8], in bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        while let start = find(pattern, in: bytes, from: position) {
            result += bytes[position..<start] + substitute
            position = start + pattern.count
        }
        return result + bytes[position...]
    }

    private static func find(_ pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard let first = pattern.first, bytes.count - start >= pattern.count else { return nil }
        var position = start
        while let next = bytes[position...(bytes.count - pattern.count)].firstIndex(of: first) {
            if bytes[next..<next + pattern.count].elementsEqual(pattern) { return next }
            position = next + 1
            guard position <= bytes.count - pattern.count else { return nil }
        }
        return nil
    }
}
