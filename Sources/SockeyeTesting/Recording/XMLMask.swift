/// A scanner that replaces the values of secret attributes and the text of secret elements in XML.
///
/// It recognizes tags, comments, CDATA sections, declarations and processing instructions. It expands no entities and
/// validates nothing, so it also masks malformed documents. It does not mask the text of a secret element that has
/// child elements, nor attribute values without quotes.
struct XMLMask {
    private let mark: [UInt8]
    private let isSecret: (String) -> Bool

    /// - Parameter isSecret: Returns true if attributes and elements with this local name are secret.
    init(mark: String, isSecret: @escaping (String) -> Bool) {
        self.mark = Array(mark.utf8)
        self.isSecret = isSecret
    }

    func masking(_ document: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var (copied, position) = (0, 0)
        while let start = document[position...].firstIndex(of: UInt8(ascii: "<")) {
            let tag = Tag(document, at: start)
            var values = tag.attributes.filter { isSecretName(document[$0.name]) }.map(\.value)
            if tag.kind == .start, isSecretName(document[tag.name]), let text = Self.text(of: document, from: tag.end) {
                values.append(text)
            }
            for value in values where !value.isEmpty {
                output += document[copied..<value.lowerBound] + mark
                copied = value.upperBound
            }
            position = max(tag.end, copied)
        }
        return output + document[copied...]
    }

    /// Returns true if the local part of a name is secret. Namespace declarations are never secret.
    private func isSecretName(_ name: ArraySlice<UInt8>) -> Bool {
        guard !name.elementsEqual("xmlns".utf8), !name.starts(with: "xmlns:".utf8) else { return false }
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        return isSecret(String(decoding: local, as: UTF8.self))
    }

    /// Returns the range of an element's content from `start`; nil if the content has an element or is only whitespace.
    private static func text(of document: [UInt8], from start: Int) -> Range<Int>? {
        var position = start
        while let next = document[position...].firstIndex(of: UInt8(ascii: "<")) {
            let tag = Tag(document, at: next)
            if tag.kind == .end { return content(of: document, start..<next) }
            guard tag.kind == .other else { return nil }
            position = tag.end
        }
        // The document ends inside the element.
        return content(of: document, start..<document.count)
    }

    private static func content(of document: [UInt8], _ range: Range<Int>) -> Range<Int>? {
        document[range].allSatisfy(Tag.isBlank) ? nil : range
    }
}

extension XMLMask {
    /// A tag, comment, CDATA section, declaration or processing instruction.
    private struct Tag {
        enum Kind {
            case start, end, empty, other
        }

        var kind = Kind.other
        var name = 0..<0
        /// Attribute names and values; the values exclude their quotes.
        var attributes: [(name: Range<Int>, value: Range<Int>)] = []
        /// The offset after the tag; the end of the document if the tag is cut off.
        private(set) var end: Int

        /// - Parameter start: The offset of `<`.
        init(_ document: [UInt8], at start: Int) {
            let rest = document[(start + 1)...]
            end = start + 1
            for (opening, closing) in Self.opaque where rest.starts(with: opening.utf8) {
                end = rest.firstRange(of: closing.utf8)?.upperBound ?? document.count
                return
            }
            guard rest.first != UInt8(ascii: "/") else {
                kind = .end
                skip(document) { $0 != UInt8(ascii: ">") }
                end = min(end + 1, document.count)
                return
            }
            readStart(document)
        }

        /// The start and the end of each kind of markup that is skipped as a whole.
        private static let opaque = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>"), ("!", ">")]

        static func isBlank(_ byte: UInt8) -> Bool {
            byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
        }

        private mutating func skip(_ document: [UInt8], while isSkipped: (UInt8) -> Bool) {
            while end < document.count, isSkipped(document[end]) { end += 1 }
        }

        private mutating func readStart(_ document: [UInt8]) {
            kind = .start
            name = readName(document)
            while end < document.count {
                skip(document, while: Self.isBlank)
                guard end < document.count else { return }
                switch document[end] {
                case UInt8(ascii: ">"):
                    end += 1
                    return
                case UInt8(ascii: "/"):
                    end += 1
                    kind = end < document.count && document[end] == UInt8(ascii: ">") ? .empty : kind
                case UInt8(ascii: "="): end += 1
                default: readAttribute(document)
                }
            }
        }

        private mutating func readName(_ document: [UInt8]) -> Range<Int> {
            let start = end
            skip(document) { !Self.isBlank($0) && !"=/>".utf8.contains($0) }
            return start..<end
        }

        private mutating func readAttribute(_ document: [UInt8]) {
            let name = readName(document)
            skip(document, while: Self.isBlank)
            guard end < document.count, document[end] == UInt8(ascii: "=") else { return }
            end += 1
            skip(document, while: Self.isBlank)
            guard end < document.count, document[end] == 0x22 || document[end] == 0x27 else { return }
            let quote = document[end]
            end += 1
            let start = end
            skip(document) { $0 != quote }
            attributes.append((name, start..<end))
            end = min(end + 1, document.count)
        }
    }
}
