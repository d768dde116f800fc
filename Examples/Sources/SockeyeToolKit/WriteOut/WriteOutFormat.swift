import Sockeye

/// The format of `--write-out`: text with variables such as `%{http_code}`, as in curl.
package struct WriteOutFormat: Sendable {
    private enum Piece: Sendable {
        case text(String)
        case variable(WriteOutVariable)
        /// `%header{name}`
        case field(String)
        /// The output of the pieces that follow.
        case stream(isError: Bool)
        /// `%{onerror}`: the pieces that follow are only for failures.
        case onError
    }

    private var pieces: [Piece] = []

    /// - Throws: A `UsageFault` for an unknown variable: curl warns after the transfer and prints nothing for it.
    package init(_ format: String) throws {
        var rest = format[...]
        var text = ""
        while let character = rest.popFirst() {
            switch character {
            case "\\":
                guard let next = rest.popFirst() else {
                    text.append(character)
                    break
                }
                text += Self.escaped(next)
            case "%" where rest.first == "%":
                text.append("%")
                rest = rest.dropFirst()
            case "%":
                guard let piece = try Self.piece(&rest) else {
                    text.append(character)
                    break
                }
                pieces += [.text(text), piece]
                text = ""
            default: text.append(character)
            }
        }
        pieces.append(.text(text))
    }

    /// Returns the character that a letter after a backslash stands for; other letters keep their backslash.
    private static func escaped(_ letter: Character) -> String {
        switch letter {
        case "n": "\n"
        case "r": "\r"
        case "t": "\t"
        default: "\\\(letter)"
        }
    }

    /// Reads the rest of `%{name}` or `%header{name}`; nil for text.
    private static func piece(_ rest: inout Substring) throws -> Piece? {
        let isField = rest.hasPrefix("header{")
        guard isField || rest.hasPrefix("{"), let end = rest.firstIndex(of: "}") else { return nil }
        let name = String(rest[..<end].drop { $0 != "{" }.dropFirst())
        rest = rest[rest.index(after: end)...]
        if isField { return .field(name) }
        switch name {
        case "stdout": return .stream(isError: false)
        case "stderr": return .stream(isError: true)
        case "onerror": return .onError
        default:
            guard let variable = WriteOutVariable(rawValue: name) else {
                let known = WriteOutVariable.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageFault("--write-out has no variable '\(name)'; it has \(known), and %header{NAME}")
            }
            return .variable(variable)
        }
    }

    /// Returns the texts for standard output and standard error.
    package func texts(_ facts: TransferFacts) -> (output: String, error: String) {
        var (output, error) = ("", "")
        var isError = false
        for piece in pieces {
            var text = ""
            switch piece {
            case .text(let literal): text = literal
            case .variable(let variable): text = variable.text(facts)
            case .field(let name): text = facts.headers[Headers.Name(name)] ?? ""
            case .stream(let toError): isError = toError
            case .onError:
                if facts.exitStatus == 0 { return (output, error) }
            }
            if isError { error += text } else { output += text }
        }
        return (output, error)
    }
}
