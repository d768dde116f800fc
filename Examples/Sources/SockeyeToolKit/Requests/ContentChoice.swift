import Sockeye

/// The content that the options and items of a command line choose: one kind, with its media type.
struct ContentChoice {
    static let formType = "application/x-www-form-urlencoded"

    /// The methods for which standard input is the content, if the method stands before the URL as in httpie.
    private static let methodsWithInput: Set<String> = ["POST", "PUT", "PATCH", "QUERY"]

    let content: RequestDraft.Content

    init(_ arguments: RequestDraft.Arguments, _ positionals: Positionals, _ fields: FieldLines) throws {
        let members = try positionals.items.compactMap { try $0.member(arguments.text) }
        let data = arguments.sendsDataInQuery ? [] : arguments.data
        let kinds = [
            !members.isEmpty, !data.isEmpty, arguments.json != nil, !arguments.jsonPieces.isEmpty,
            !arguments.form.isEmpty, arguments.file != nil, positionals.contentFile != nil,
        ]
        guard kinds.count(where: { $0 }) <= 1 else {
            throw UsageFault("there is more than one content: items, --data, --json, --form and --upload-file")
        }
        let given = arguments.contentType ?? fields.headers[.contentType]
        func type(_ usual: String) -> String? { given ?? (fields.omitted.contains("content-type") ? nil : usual) }

        if !members.isEmpty {
            content = .json(.object(JSONValue.Object(members)), type: type("application/json"))
        } else if let json = arguments.json {
            content = .json(try Self.checked(json), type: type("application/json"))
        } else if !arguments.jsonPieces.isEmpty {
            let pieces = arguments.jsonPieces.map { RequestDraft.Data.binary($0).piece(isForm: false) }
            content = .pieces(pieces, separator: "", type: type("application/json"))
        } else if !data.isEmpty {
            let type = type(Self.formType)
            let isForm = Self.isForm(type)
            content = .pieces(data.map { $0.piece(isForm: isForm) }, separator: "&", type: type)
        } else if !arguments.form.isEmpty {
            content = .form(arguments.form)
        } else if let file = arguments.file {
            content = .file(file, type: given)
        } else if let file = positionals.contentFile {
            content = .pieces([.file(file)], separator: "", type: given)
        } else if arguments.hasStandardInput, let method = positionals.method, Self.methodsWithInput.contains(method) {
            content = .standardInput(type: type("application/json"))
        } else {
            content = .none
        }
    }

    /// Returns true for the media type of forms, in any case and with any parameters.
    static func isForm(_ type: String?) -> Bool {
        type.flatMap { InternetMediaType($0) }?.essence == formType
    }

    private static func checked(_ json: String) throws -> JSONValue {
        do throws(JSONError) {
            return try JSONValue(parsing: json)
        } catch {
            throw UsageFault("--data-json: \(error)")
        }
    }
}
