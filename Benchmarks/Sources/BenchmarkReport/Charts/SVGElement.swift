internal import Foundation

/// An element of an SVG drawing.
package struct SVGElement: Sendable {
    private let name: String
    private let attributes: [(name: String, value: String)]
    private let content: Content

    private enum Content: Sendable {
        case elements([SVGElement])
        case text(String)
        case raw(String)
    }

    package init(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ elements: [SVGElement] = []) {
        self.name = name
        self.attributes = attributes.map { ($0.key, $0.value) }
        content = .elements(elements)
    }

    package init(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], text: String) {
        self.name = name
        self.attributes = attributes.map { ($0.key, $0.value) }
        content = .text(text)
    }

    /// Makes an element with unescaped content, for the style sheet.
    package init(_ name: String, raw: String) {
        self.name = name
        attributes = []
        content = .raw(raw)
    }

    /// Returns the element as text, with a line for each nested element.
    package func rendered(indent: Int = 0) -> String {
        let margin = String(repeating: " ", count: indent)
        let opening = margin + "<" + name + attributes.map { " \($0.name)=\"\(Self.escaped($0.value))\"" }.joined()
        switch content {
        case .text(let text): return opening + ">\(Self.escaped(text))</\(name)>"
        case .raw(let text): return opening + ">\(text)</\(name)>"
        case .elements(let elements) where elements.isEmpty: return opening + "/>"
        case .elements(let elements):
            let inner = elements.map { $0.rendered(indent: indent + 2) }.joined(separator: "\n")
            return opening + ">\n\(inner)\n\(margin)</\(name)>"
        }
    }

    /// Escapes text for use between tags and in quotes.
    package static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            // XML does not allow other controls.
            case _ where character.unicodeScalars.contains { $0.value < 0x20 && !"\t\n\r".unicodeScalars.contains($0) }:
                result += " "
            default: result.append(character)
            }
        }
    }

    /// Returns a coordinate as text, rounded to tenths of a pixel.
    package static func number(_ value: Double) -> String {
        let tenths = (value * 10).rounded()
        return tenths.truncatingRemainder(dividingBy: 10) == 0
            ? "\(Int(tenths / 10))" : String(format: "%.1f", tenths / 10)
    }
}
