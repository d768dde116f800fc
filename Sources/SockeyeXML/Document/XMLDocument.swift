#if XML
public import SockeyeCore

/// An XML document as a tree of values.
///
/// ```swift
/// let feed = try await client.get("https://example.com/feed", as: .xml)
/// let titles = feed.root.elements(at: "channel/item/title").map(\.text)
/// ```
///
/// Entities and default attributes that the document type declaration defines are applied. The declaration itself is
/// not kept, and the document is not validated against it.
public struct XMLDocument: Sendable, Hashable {
    /// The outermost element.
    public let root: XMLDocument.Element
    /// Comments and processing instructions before the root.
    public let prolog: [XMLDocument.Node]
    /// Comments and processing instructions after the root.
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
    ///   - charset: The encoding that the sender states, such as the charset of Content-Type. It takes precedence over
    ///     the XML declaration of the document; a byte order mark takes precedence over both (RFC 7303, 3.2). If nil,
    ///     the XML declaration decides; without an XML declaration the document is UTF-8.
    ///   - options: The parts of the document to keep, and the limits.
    /// - Throws: ``XMLError``. This initializer ignores cancellation of the task; a call that parses its response with
    ///   `as: .xml` respects it.
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
    /// Options for building a document from its text, and limits on its size.
    public struct Options: Sendable, Hashable, Codable {
        /// True if white space between elements is kept. If false, text that is only white space is dropped from
        /// elements that contain other elements. Default true.
        public var keepsWhitespace = true
        /// True if CDATA sections become ordinary text. Default true.
        public var mergesCDATA = true
        /// The maximum number of elements, attributes, namespace declarations, texts and other nodes in the tree.
        /// Default 1,048,576, which takes about 200 MiB of memory.
        public var maximumNodes = 1 << 20
        /// The maximum number of bytes of text in the tree, including comments, the values of attributes, and the data
        /// of processing instructions. Default 16 MiB.
        public var maximumTextSize = 16 << 20
        /// The limits on the parser.
        public var limits = XMLLimits()

        /// Creates the default options.
        public init() {}

        /// Creates options with these values and the defaults of the others.
        public init(keepsWhitespace: Bool, mergesCDATA: Bool = true) {
            self.keepsWhitespace = keepsWhitespace
            self.mergesCDATA = mergesCDATA
        }
    }
}
#endif
