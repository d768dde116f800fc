import Foundation
import Sockeye

/// The request that the arguments of the command line describe.
package struct RequestDraft: Sendable {
    /// The parts of the command line.
    package struct Arguments: Sendable {
        package var positionals: [String] = []
        /// The URLs of `--url`.
        package var urls: [String] = []
        package var method: String?
        package var fields: [String] = []
        package var query: [String] = []
        package var data: [Data] = []
        /// `--data-json`: JSON that is checked.
        package var json: String?
        /// curl's `--json`: pieces that are sent as they are.
        package var jsonPieces: [String] = []
        package var form: [FormPart] = []
        package var file: String?
        package var contentType: String?
        package var asksForHead = false
        /// curl's `--get`: the data goes into the query.
        package var sendsDataInQuery = false
        /// True if standard input is a file or a pipe and may be the content.
        package var hasStandardInput = false
        /// Returns the bytes of a file that is a part of the request; `-` is standard input.
        package var read: @Sendable (String) throws -> [UInt8] = { path in
            guard let content = FileManager.default.contents(atPath: path) else {
                throw UsageFault("\(path) cannot be read")
            }
            return Array(content)
        }

        /// Returns the text of a file that is a part of the request.
        func text(_ path: String) throws -> String { try UTF8Text.decoded(try read(path), path) }

        package init() {}
    }

    /// The content, with files that are not opened yet.
    package enum Content: Sendable, Hashable {
        case none
        /// - Parameter separator: The text between two pieces.
        case pieces([ContentPiece], separator: String, type: String?)
        case json(JSONValue, type: String?)
        case form([FormPart])
        /// A file that is streamed; `-` is standard input.
        case file(String, type: String?)
        /// Standard input, if it is not empty.
        case standardInput(type: String?)
    }

    package let method: String
    /// The URL as it was given, without ``query``. The name of an uploaded file is added if the URL has none.
    package let url: String
    /// The query to append, percent-encoded; nil without one.
    package let query: String?
    package let headers: Headers
    /// Fields that are not sent although the command sends them by default, in lower case.
    package let omittedFields: Set<String>
    package let content: Content

    /// Returns a draft for each URL of the command line.
    package static func drafts(_ arguments: Arguments) throws -> [RequestDraft] {
        let positionals = try Positionals(arguments.positionals, urls: arguments.urls)
        return try positionals.urls.map { try RequestDraft(arguments, positionals, url: $0) }
    }

    /// Makes the only draft of a command that takes one URL.
    package init(_ arguments: Arguments) throws {
        let positionals = try Positionals(arguments.positionals, urls: arguments.urls)
        guard positionals.urls.count == 1 else {
            throw UsageFault("'\(MaskedURL.text(positionals.urls[1]))' is a second URL, and this command takes one")
        }
        try self.init(arguments, positionals, url: positionals.urls[0])
    }

    private init(_ arguments: Arguments, _ positionals: Positionals, url: String) throws {
        if let first = positionals.method, let second = arguments.method, first != second {
            throw UsageFault("\(first) and --method \(second) contradict each other")
        }
        let items = positionals.items
        query = try Self.query(arguments, items)
        let fields = try Self.fields(arguments, items)
        content = try ContentChoice(arguments, positionals, fields).content
        self.url = Self.uploadURL(url, content)
        headers = Self.completed(fields, content, isCurlJSON: !arguments.jsonPieces.isEmpty)
        omittedFields = fields.omitted
        method = positionals.method ?? arguments.method ?? Self.method(arguments, content)
        try checkMethod(arguments)
    }

    /// Returns the default method of curl and httpie: POST with content, PUT with a file.
    private static func method(_ arguments: Arguments, _ content: Content) -> String {
        if arguments.asksForHead { return "HEAD" }
        switch content {
        case .none: return "GET"
        case .file: return "PUT"
        case .pieces, .json, .form, .standardInput: return "POST"
        }
    }

    /// Refuses forms with GET and HEAD, as the library does, and other content with HEAD.
    private func checkMethod(_ arguments: Arguments) throws {
        guard method == "GET" || method == "HEAD" else { return }
        switch content {
        case .none: return
        case .form: break
        case .pieces(_, _, let type) where ContentChoice.isForm(type): break
        case .pieces, .json, .file, .standardInput:
            guard method == "HEAD" else { return }
            throw UsageFault("a HEAD request has no content")
        }
        let remedy = method == "GET" ? ": --get sends --data in the query, and a form alone means POST" : ""
        throw UsageFault("a \(method) request has no form\(remedy)")
    }

    // MARK: Parts

    private static func query(_ arguments: Arguments, _ items: [RequestItem]) throws -> String? {
        var pairs = try arguments.query.map { try pair($0, "a parameter") }
        for case .query(let name, let value) in items { pairs.append((name, value)) }
        var parts = pairs.map { "\(FormEncoding.encoded($0.0))=\(FormEncoding.encoded($0.1))" }
        if arguments.sendsDataInQuery {
            parts += try arguments.data.map { data in
                let piece = data.piece(isForm: true)
                return FormEncoding.ascii(piece.bytes(try piece.path.map { try arguments.read($0) } ?? []))
            }
        }
        return parts.isEmpty ? nil : parts.joined(separator: "&")
    }

    private static func fields(_ arguments: Arguments, _ items: [RequestItem]) throws -> FieldLines {
        var fields = FieldLines()
        for line in arguments.fields {
            guard line.hasPrefix("@") else {
                try fields.add(line)
                continue
            }
            for line in try arguments.text(String(line.dropFirst())).split(whereSeparator: \.isNewline) {
                try fields.add(String(line))
            }
        }
        for item in items {
            switch item {
            case .field(let name, let value): try fields.add(name, value)
            case .emptyField(let name): fields.addEmpty(name)
            default: break
            }
        }
        return fields
    }

    /// Adds the name of an uploaded file to a URL that ends with a slash or has no path, as curl does.
    private static func uploadURL(_ url: String, _ content: Content) -> String {
        guard case .file(let path, _) = content, path != "-", let name = path.split(separator: "/").last,
            !url.contains("?"), !url.contains("#"), let scheme = url.firstRange(of: "://")
        else { return url }
        let isWithoutPath = !url[scheme.upperBound...].contains("/")
        guard isWithoutPath || url.hasSuffix("/") else { return url }
        return url + (isWithoutPath ? "/" : "") + FormEncoding.encoded(String(name))
    }

    /// Removes Content-Type, which the content determines, and adds Accept to requests that send JSON: that of httpie,
    /// or that of curl's `--json`. If the user writes `Accept:`, the client sends its default, which accepts any type.
    private static func completed(_ fields: FieldLines, _ content: Content, isCurlJSON: Bool) -> Headers {
        var headers = fields.headers
        headers.removeAll(named: .contentType)
        guard !headers.contains(.accept), !fields.omitted.contains("accept") else { return headers }
        if isCurlJSON {
            headers.append(.accept, "application/json")
        } else {
            switch content {
            case .json, .standardInput: headers.append(.accept, "application/json, */*;q=0.5")
            case .none, .pieces, .form, .file: break
            }
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
