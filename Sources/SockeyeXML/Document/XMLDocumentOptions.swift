/// How a document is made of its text, and how large it may become.
public struct XMLDocumentOptions: Sendable, Hashable, Codable {
    /// Whether blanks between elements are kept. If not, text that consists of blanks only is left out of elements that
    /// contain other elements. Default true: nothing is lost.
    public var keepsWhitespace = true
    /// Whether CDATA sections become text like any other. Default true.
    public var mergesCDATA = true
    /// The most elements, attributes, texts and so on in the tree: 1,048,576 by default, with which it takes some 200
    /// MiB of memory.
    public var maximumNodes = 1 << 20
    /// The most bytes of text in the tree, that of attributes and comments included: 16 MiB by default.
    public var maximumTextSize = 16 << 20
    /// What the document may make its parser do.
    public var limits = XMLLimits()

    /// Makes the default options.
    public init() {}

    /// The default options but for these.
    public init(keepsWhitespace: Bool, mergesCDATA: Bool = true) {
        self.keepsWhitespace = keepsWhitespace
        self.mergesCDATA = mergesCDATA
    }
}
