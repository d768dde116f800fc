import Sockeye

/// One of httpie's request items: `name=text`, `name:=json`, `name==parameter`, `Name:field`, `Name;`, and `name=@path`
/// and `name:=@path` with the value in a file.
///
/// The first separator counts; if two begin at the same place, the longer one. A separator after a backslash is part of
/// the name.
package enum RequestItem: Sendable, Hashable {
    /// A field; with an empty value the field is omitted.
    case field(String, String)
    /// A field without a value.
    case emptyField(String)
    case query(String, String)
    case text(String, String)
    case json(String, JSONValue)
    /// A string whose text is in a file.
    case textFile(String, path: String)
    /// JSON in a file.
    case jsonFile(String, path: String)

    private static let separators = [":=@", "=@", ":=", "==", "=", ":", "@"]

    package init(_ argument: String) throws {
        var name = ""
        var rest = argument[...]
        var isNested = false
        while let character = rest.first {
            if character == "\\", let next = rest.dropFirst().first, ":=@\\[];".contains(next) {
                name.append(next)
                rest = rest.dropFirst(2)
                continue
            }
            if let separator = Self.separators.first(where: { rest.hasPrefix($0) }) {
                self = try Self.make(name, separator, String(rest.dropFirst(separator.count)), argument)
                // Names of parameters and fields are not nested in httpie either.
                if isNested, Self.isMember(separator) { throw Self.nested(argument) }
                return
            }
            if rest == ";", !name.isEmpty {
                self = .emptyField(name)
                return
            }
            if character == "[" { isNested = true }
            name.append(character)
            rest = rest.dropFirst()
        }
        throw UsageFault("'\(argument)' is not an item: name=text, name:=json, name==parameter or Name:field")
    }

    private static func isMember(_ separator: String) -> Bool {
        separator != "==" && separator != ":" && separator != "@"
    }

    private static func nested(_ argument: String) -> UsageFault {
        UsageFault(
            "'\(argument)' has a nested name: write the value as JSON, as in a:='{\"b\":1}', or \\[ for a name with [")
    }

    private static func make(
        _ name: String, _ separator: String, _ value: String, _ argument: String
    ) throws -> RequestItem {
        guard !name.isEmpty else { throw UsageFault("'\(argument)' has no name") }
        switch separator {
        case ":=@": return .jsonFile(name, path: value)
        case "=@": return .textFile(name, path: value)
        case ":=": return .json(name, try parsed(value))
        case "==": return .query(name, value)
        case "=": return .text(name, value)
        case ":": return .field(name, String(value.drop { $0 == " " }))
        default: throw UsageFault("files are sent by --form \(name)=@\(value)")
        }
    }

    private static func parsed(_ text: String) throws -> JSONValue {
        guard let json = try? JSONValue(parsing: text) else { throw UsageFault("'\(text)' is no JSON") }
        return json
    }

    /// The member of a JSON object that the item is; nil for a field or a parameter.
    ///
    /// - Parameter read: Returns the text of a file.
    package func member(_ read: (String) throws -> String) throws -> (String, JSONValue)? {
        switch self {
        case .text(let name, let value): (name, .string(value))
        case .json(let name, let value): (name, value)
        case .textFile(let name, let path): (name, .string(try read(path)))
        case .jsonFile(let name, let path): (name, try Self.parsed(try read(path)))
        case .field, .emptyField, .query: nil
        }
    }
}
