import Sockeye

/// The request that the arguments of the command line describe.
package struct RequestDraft: Sendable {
    /// An argument of `--data` or a similar option.
    package enum Data: Sendable, Hashable {
        /// `--data`: text, `@path` for a file, `@-` for standard input.
        case text(String)
        /// `--data-urlencode`: `name=value`, or a value alone.
        case encoded(String)
    }

    /// The parts of the command line.
    package struct Arguments: Sendable {
        package var positionals: [String] = []
        package var method: String?
        package var fields: [String] = []
        package var query: [String] = []
        package var data: [Data] = []
        package var json: String?
        package var form: [String] = []
        package var file: String?
        package var contentType: String?
        package var asksForHead = false
        /// curl's `--get`: the data goes into the query.
        package var sendsDataInQuery = false

        package init() {}
    }

    /// The content, with files that are not opened yet.
    package enum Content: Sendable, Hashable {
        case none
        case pieces([Data], type: String)
        case json(JSONValue, type: String)
        case form([FormPart])
        case file(String, type: String?)
    }

    package let method: String
    /// The URL as it was given, without the query of ``query``.
    package let url: String
    /// The query to append, percent-encoded; nil without one.
    package let query: String?
    package let headers: Headers
    package let content: Content

    package init(_ arguments: Arguments) throws {
        let positionals = try Positionals(arguments.positionals)
        if let first = positionals.method, let second = arguments.method, first != second {
            throw UsageFault("\(first) and --method \(second) contradict each other")
        }
        let items = positionals.items
        url = positionals.url
        query = try Self.query(arguments, items)
        let fields = try Self.headers(arguments.fields, items)
        content = try Self.content(arguments, items, fields)
        headers = Self.completed(fields, content)
        method = positionals.method ?? arguments.method ?? Self.method(arguments, content)
    }

    /// Returns the default method of curl and httpie: POST with content, PUT with a file.
    private static func method(_ arguments: Arguments, _ content: Content) -> String {
        if arguments.asksForHead { return "HEAD" }
        switch content {
        case .none: return "GET"
        case .file: return "PUT"
        case .pieces, .json, .form: return "POST"
        }
    }

    // MARK: Parts

    private static func query(_ arguments: Arguments, _ items: [RequestItem]) throws -> String? {
        var pairs = try arguments.query.map { try pair($0, "a parameter") }
        for case .query(let name, let value) in items { pairs.append((name, value)) }
        var parts = pairs.map { "\(FormEncoding.encoded($0.0))=\(FormEncoding.encoded($0.1))" }
        if arguments.sendsDataInQuery {
            parts += try arguments.data.map { data in
                guard let text = data.withoutFiles else { throw UsageFault("--get takes no files") }
                return text
            }
        }
        return parts.isEmpty ? nil : parts.joined(separator: "&")
    }

    private static func headers(_ lines: [String], _ items: [RequestItem]) throws -> Headers {
        var headers = Headers()
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
                throw UsageFault("'\(line)' is not a field: a name, a colon and a value")
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers.append(Headers.Name(String(line[..<colon])), String(value))
        }
        for case .field(let name, let value) in items { headers.append(Headers.Name(name), value) }
        return headers
    }

    private static func content(
        _ arguments: Arguments, _ items: [RequestItem], _ headers: Headers
    ) throws -> Content {
        let members = items.compactMap { item -> (String, JSONValue)? in
            switch item {
            case .text(let name, let value): (name, .string(value))
            case .json(let name, let value): (name, value)
            case .field, .query: nil
            }
        }
        let data = arguments.sendsDataInQuery ? [] : arguments.data
        let kinds = [
            !members.isEmpty, !data.isEmpty, arguments.json != nil, !arguments.form.isEmpty, arguments.file != nil,
        ]
        guard kinds.count(where: { $0 }) <= 1 else {
            throw UsageFault("there is more than one content: items, --data, --data-json, --form and --upload-file")
        }
        let type = arguments.contentType ?? headers[.contentType]
        if !members.isEmpty {
            return .json(.object(JSONValue.Object(members)), type: type ?? "application/json")
        }
        if let json = arguments.json {
            do throws(JSONError) {
                return .json(try JSONValue(parsing: json), type: type ?? "application/json")
            } catch {
                throw UsageFault("--data-json: \(error)")
            }
        }
        if !data.isEmpty { return .pieces(data, type: type ?? "application/x-www-form-urlencoded") }
        if !arguments.form.isEmpty { return .form(try arguments.form.map { try FormPart($0) }) }
        if let file = arguments.file { return .file(file, type: type) }
        return .none
    }

    /// Removes Content-Type, which the content determines, and adds Accept for JSON to requests that send JSON.
    private static func completed(_ headers: Headers, _ content: Content) -> Headers {
        var headers = headers
        headers.removeAll(named: .contentType)
        if case .json = content, !headers.contains(.accept) {
            headers.append(.accept, "application/json, */*;q=0.5")
        }
        return headers
    }

    static func pair(_ text: String, _ what: String) throws -> (String, String) {
        guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
            throw UsageFault("'\(text)' is not \(what): name=value")
        }
        return (String(text[..<sign]), String(text[text.index(after: sign)...]))
    }
}

extension RequestDraft.Data {
    /// The text to send; nil if it has to be read from a file.
    package var withoutFiles: String? {
        switch self {
        case .text(let text): return text.hasPrefix("@") ? nil : text
        case .encoded(let text):
            guard let sign = text.firstIndex(of: "=") else { return FormEncoding.encoded(text) }
            let value = FormEncoding.encoded(String(text[text.index(after: sign)...]))
            return sign == text.startIndex ? value : "\(text[..<sign])=\(value)"
        }
    }

    /// The file to read: a path, or `-` for standard input; nil if the text is given.
    package var file: String? {
        guard case .text(let text) = self, text.hasPrefix("@") else { return nil }
        return String(text.dropFirst())
    }
}
