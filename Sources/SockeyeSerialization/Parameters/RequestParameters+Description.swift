import SockeyeEssentials

extension RequestParameters: CustomStringConvertible {
    /// The parameters in the form of a literal, for logs and debuggers. The text shows all values, including secrets.
    public var description: String { ParameterValue.dictionary(self).description }
}

extension ParameterValue: CustomStringConvertible {
    /// The value in the form of a literal, for logs and debuggers: `["a": [1, "x"], "b": .null]`. Angle brackets
    /// enclose dates, the length of data and the names of unsupported types.
    public var description: String {
        var output = ""
        // The pieces that are still to be written, in reverse order. Replaces recursion, which could exhaust the
        // thread's stack.
        var rest = [Piece.value(self)]
        while let piece = rest.popLast() {
            switch piece {
            case .text(let text): output += text
            case .value(.array(let elements)): Self.open("[", elements.map { ("", $0) }, "]", onto: &rest)
            case .value(.set(let elements)):
                Self.open(".set([", Self.sorted(elements).map { ("", $0) }, "])", onto: &rest)
            case .value(.dictionary(let members)) where members.isEmpty: output += "[:]"
            case .value(.dictionary(let members)):
                Self.open("[", members.map { ($0.name.debugDescription + ": ", $0.value) }, "]", onto: &rest)
            case .value(let value): output += value.scalarDescription
            }
        }
        return output
    }

    private enum Piece {
        case text(String)
        case value(ParameterValue)
    }

    private static func open(
        _ start: String, _ parts: [(label: String, value: Self)], _ end: String, onto rest: inout [Piece]
    ) {
        rest.append(.text(end))
        for (index, part) in parts.enumerated().reversed() {
            rest.append(.value(part.value))
            rest.append(.text((index > 0 ? ", " : "") + part.label))
        }
        rest.append(.text(start))
    }

    private var scalarDescription: String {
        switch self {
        case .bool(let value): value.description
        case .integer(let value): value.description
        case .unsignedInteger(let value): value.description
        case .double(let value): value.description
        case .decimal(let value): value.description
        case .string(let value): value.debugDescription
        case .data(let value): "<\(value.count) bytes>"
        // Does not use Foundation's description of a date, which traps if the date is NaN.
        case .date(let value): "<\(DateText(value)?.spaced ?? "\(value.timeIntervalSince1970) s")>"
        case .unsupported(let type): "<\(type)>"
        case .null, .array, .set, .dictionary: ".null"
        }
    }
}
