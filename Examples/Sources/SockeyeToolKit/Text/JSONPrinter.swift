import Sockeye

/// Prints JSON for people: indented, with different colours for keys, strings, numbers and words.
package struct JSONPrinter: Sendable {
    private let style: TextStyle
    private let isIndented: Bool

    package init(_ presentation: Presentation) {
        style = presentation.style
        isIndented = presentation.isIndented
    }

    /// Returns the text without a line break at its end. Members keep their order, and numbers keep all their digits.
    package func text(_ value: JSONValue) -> String {
        var output = ""
        write(value, level: 0, to: &output)
        return output
    }

    /// Returns the text of a body; nil if the body is not JSON.
    package func text(parsing body: Bytes) -> String? {
        (try? JSONValue(parsing: body)).map { text($0) }
    }

    // JSONValue.ReadingOptions limits the depth of the recursion.
    private func write(_ value: JSONValue, level: Int, to output: inout String) {
        switch value {
        case .null: output += style("null", .gray)
        case .bool(let value): output += style(value ? "true" : "false", .yellow)
        case .number(let value): output += style(value.description, .magenta)
        case .string(let value): output += style(Self.quoted(value), .green)
        case .array(let elements):
            write(elements, "[", "]", level, to: &output) { element, output in
                write(element, level: level + 1, to: &output)
            }
        case .object(let object):
            write(Array(object), "{", "}", level, to: &output) { member, output in
                output += style(Self.quoted(member.key), .blue) + (isIndented ? ": " : ":")
                write(member.value, level: level + 1, to: &output)
            }
        }
    }

    private func write<Element>(
        _ elements: [Element], _ opening: String, _ closing: String, _ level: Int, to output: inout String,
        each: (Element, inout String) -> Void
    ) {
        output += opening
        for (index, element) in elements.enumerated() {
            if index > 0 { output += "," }
            breakLine(level + 1, to: &output)
            each(element, &output)
        }
        if !elements.isEmpty { breakLine(level, to: &output) }
        output += closing
    }

    private func breakLine(_ level: Int, to output: inout String) {
        guard isIndented else { return }
        output += "\n" + String(repeating: "  ", count: level)
    }

    /// Returns a JSON string with more characters escaped than RFC 8259 7 requires, so that it is harmless on
    /// terminals.
    private static func quoted(_ text: String) -> String {
        TerminalText.escaping(JSONValue.string(text).string(options: .withoutEscapingSlashes))
    }
}
