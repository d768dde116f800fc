#if XML
public import SockeyeCore

/// An XML document as a tree of values.
///
/// ```swift
/// let feed = try await client.get("https://example.com/feed", as: .xml)
/// let titles = feed.root.elements(at: "channel/item/title").map(\.text)
/// ```
///
/// A document type declaration is read for the entities and default attributes in it and is then forgotten; the document is
/// not validated against it.
public struct XMLDocument: Sendable, Hashable {
    /// The outermost element.
    public let root: XMLDocument.Element
    /// Comments and processing instructions before the root.
    public let prolog: [XMLDocument.Node]
    /// Comments and processing instructions behind the root.
    public let epilog: [XMLDocument.Node]

    init(root: XMLDocument.Element, prolog: [XMLDocument.Node], epilog: [XMLDocument.Node]) {
        self.root = root
        self.prolog = prolog
        self.epilog = epilog
    }

    /// Parses a document.
    ///
    /// - Parameters:
    ///   - bytes: The whole document.
    ///   - charset: The encoding if the sender has said it, such as that of Content-Type. It outranks what the document
    ///     declares, and only a byte order mark outranks it (RFC 7303, 3.2). Nil for what the document declares, UTF-8
    ///     if nothing.
    ///   - options: What to keep and how much to accept.
    /// - Throws: ``XMLError``. It takes time in proportion to the number of bytes, and is not interrupted if the task is
    ///   cancelled; `as: .xml` is.
    public init(
        parsing bytes: Bytes, charset: String? = nil, options: XMLDocument.Options = XMLDocument.Options()
    ) throws(XMLError) {
        var reader = XMLDocumentReader(bytes, charset: charset, options: options)
        while true {
            guard let document = try reader.next() else { continue }
            self = document
            return
        }
    }
}

extension XMLDocument {
    /// How a document is made of its text, and how large it may become.
    public struct Options: Sendable, Hashable, Codable {
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
}
#endif
