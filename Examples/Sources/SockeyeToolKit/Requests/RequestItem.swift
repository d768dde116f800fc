import Sockeye

/// One of httpie's request items: `name=text`, `name:=json`, `name==parameter`, `Name:field`.
///
/// The first separator counts; if two begin at the same place, the longer one. A separator after a backslash is part of
/// the name.
package enum RequestItem: Sendable, Hashable {
    case field(String, String)
    case query(String, String)
    case text(String, String)
    case json(String, JSONValue)

    package init(_ argument: String) throws {
        var name = ""
        var rest = argument[...]
        while let character = rest.first {
            if character == "\\", let next = rest.dropFirst().first, ":=@\\".contains(next) {
                name.append(next)
                rest = rest.dropFirst(2)
                continue
            }
            if let separator = [":=", "==", "=", ":", "@"].first(where: { rest.hasPrefix($0) }) {
                self = try Self.make(name, separator, String(rest.dropFirst(separator.count)), argument)
                return
            }
            name.append(character)
            rest = rest.dropFirst()
        }
        throw UsageFault("'\(argument)' is not an item: name=text, name:=json, name==parameter or Name:field")
    }

    private static func make(_ name: String, _ separator: String, _ value: String, _ argument: String) throws
        -> RequestItem
    {
        guard !name.isEmpty else { throw UsageFault("'\(argument)' has no name") }
        switch separator {
        case ":=":
            guard let json = try? JSONValue(parsing: value) else { throw UsageFault("'\(value)' is no JSON") }
            return .json(name, json)
        case "==": return .query(name, value)
        case "=": return .text(name, value)
        case ":": return .field(name, String(value.drop { $0 == " " }))
        default: throw UsageFault("files are sent by --form \(name)=@\(value)")
        }
    }
}
