/// What an element contains.
public indirect enum XMLNode: Sendable, Hashable {
    /// Another element.
    case element(XMLElement)
    /// Text, with references replaced. Never two in a row.
    case text(String)
    /// Text of a CDATA section, if ``XMLDocumentOptions/mergesCDATA`` is false.
    case cdata(String)
    /// A comment, without its marks.
    case comment(String)
    /// A processing instruction.
    case processingInstruction(target: String, data: String)
}
