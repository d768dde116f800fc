/// What has to be written as a reference (XML 1.0, 2.4 and 3.3.3).
enum XMLEscaping {
    static func append(_ text: String, to output: inout String, inAttribute: Bool) {
        var rest = text.utf8[...]
        while let index = rest.firstIndex(where: { reference(for: $0, inAttribute) != nil }) {
            output += Substring(rest[..<index])
            output += reference(for: rest[index], inAttribute) ?? ""
            rest = rest[rest.index(after: index)...]
        }
        output += Substring(rest)
    }

    private static func reference(for byte: UInt8, _ inAttribute: Bool) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        // A parser makes a line feed of it, which is what it would have been already.
        case UInt8(ascii: "\r"): "&#13;"
        case UInt8(ascii: "\"") where inAttribute: "&quot;"
        // A parser makes blanks of these in an attribute.
        case UInt8(ascii: "\t") where inAttribute: "&#9;"
        case UInt8(ascii: "\n") where inAttribute: "&#10;"
        default: nil
        }
    }

    /// As a section; two if the text has the mark of its end, which happens when sections were joined.
    static func appendCDATA(_ text: String, to output: inout String) {
        output += "<![CDATA["
        var rest = text.utf8[...]
        while let index = rest.indices.first(where: { rest[$0...].starts(with: "]]>".utf8) }) {
            let middle = rest.index(index, offsetBy: 2)
            output += Substring(rest[..<middle])
            output += "]]><![CDATA["
            rest = rest[middle...]
        }
        output += Substring(rest)
        output += "]]>"
    }
}
