/// What comes next in a document.
public enum XMLEvent: Sendable, Hashable {
    /// An element starts. `<a/>` starts and ends.
    case startElement(XMLTag)
    /// An element ends.
    case endElement(XMLName)
    /// Text, with references replaced. A long run comes in several pieces, cut anywhere between two characters.
    case text(String)
    /// Text of a CDATA section. A long one comes in several pieces.
    case cdata(String)
    /// A comment, without its marks.
    case comment(String)
    /// A processing instruction; the XML declaration is none.
    case processingInstruction(target: String, data: String)
}
