#if XML
extension XMLDocument: CustomStringConvertible {
    /// Returns the parsed document as text, to be sent as UTF-8. The text has no document type declaration. Parsing the
    /// text again with the same options gives an equal document.
    ///
    /// - Parameter declaration: True if the text begins with an XML declaration. Default true.
    public func serialized(declaration: Bool = true) -> String {
        var output = declaration ? "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" : ""
        for node in prolog {
            node.write(to: &output)
            output += "\n"
        }
        root.write(to: &output)
        for node in epilog {
            output += "\n"
            node.write(to: &output)
        }
        return output
    }

    /// The document as text without an XML declaration; see ``serialized(declaration:)``.
    public var description: String { serialized(declaration: false) }
}

extension XMLDocument.Element: CustomStringConvertible {
    /// The element as text, without the namespace declarations of its ancestors.
    public var description: String {
        var output = ""
        write(to: &output)
        return output
    }

    /// Writes the element and its content without recursion: an array holds the open elements and their remaining
    /// children.
    func write(to output: inout String) {
        var open: [(element: XMLDocument.Element, rest: ArraySlice<XMLDocument.Node>)] = []
        var next: XMLDocument.Element? = self
        while true {
            if let element = next {
                element.writeStart(to: &output)
                if !element.children.isEmpty { open.append((element, element.children[...])) }
            }
            next = nil
            guard case (let element, var rest)? = open.popLast() else { return }
            guard let child = rest.popFirst() else {
                output += "</\(element.name)>"
                continue
            }
            open.append((element, rest))
            if case .element(let inner) = child { next = inner } else { child.write(to: &output) }
        }
    }

    /// Writes the start tag, or a self-closing tag if the element is empty.
    private func writeStart(to output: inout String) {
        output += "<\(name)"
        for namespace in tag.namespaces {
            output += namespace.prefix.map { " xmlns:\($0)=\"" } ?? " xmlns=\""
            XMLEscaping.append(namespace.uri, to: &output, inAttribute: true)
            output += "\""
        }
        for attribute in attributes {
            output += " \(attribute.name)=\""
            XMLEscaping.append(attribute.value, to: &output, inAttribute: true)
            output += "\""
        }
        output += children.isEmpty ? "/>" : ">"
    }
}

extension XMLDocument.Node {
    fileprivate func write(to output: inout String) {
        switch self {
        case .element(let element): element.write(to: &output)
        case .text(let text): XMLEscaping.append(text, to: &output, inAttribute: false)
        case .cdata(let text): XMLEscaping.appendCDATA(text, to: &output)
        case .comment(let text): output += "<!--\(text)-->"
        case .processingInstruction(let target, let data):
            output += data.isEmpty ? "<?\(target)?>" : "<?\(target) \(data)?>"
        }
    }
}

/// Escaping of characters that must be written as references (XML 1.0, 2.4 and 3.3.3).
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
        // A parser would convert a bare CR to LF.
        case UInt8(ascii: "\r"): "&#13;"
        case UInt8(ascii: "\"") where inAttribute: "&quot;"
        // In an attribute, a parser would convert a tab or a line feed to a space.
        case UInt8(ascii: "\t") where inAttribute: "&#9;"
        case UInt8(ascii: "\n") where inAttribute: "&#10;"
        default: nil
        }
    }

    /// Writes a CDATA section. A `]]>` in the text is split over two sections, which ``XMLDocumentReader`` joins into
    /// one node.
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
#endif
