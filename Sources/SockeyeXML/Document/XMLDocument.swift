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
    public let root: XMLElement
    /// Comments and processing instructions before the root.
    public let prolog: [XMLNode]
    /// Comments and processing instructions behind the root.
    public let epilog: [XMLNode]

    init(root: XMLElement, prolog: [XMLNode], epilog: [XMLNode]) {
        self.root = root
        self.prolog = prolog
        self.epilog = epilog
    }

    /// Parses a document.
    ///
    /// - Parameters:
    ///   - charset: The encoding if the sender has said it, such as that of Content-Type. It outranks what the document
    ///     declares, and only a byte order mark outranks it (RFC 7303, 3.2). Nil for what the document declares, UTF-8 if
    ///     nothing.
    ///   - options: What to keep and how much to accept.
    public init(
        parsing bytes: Bytes, charset: String? = nil, options: XMLDocumentOptions = XMLDocumentOptions()
    ) throws(XMLError) {
        let parser = XMLPushParser(charset: charset, limits: options.limits)
        var builder = XMLTreeBuilder(options: options)
        var position = 0
        while position < bytes.count, parser.failure == nil {
            let end = min(position + XMLPushParser.step, bytes.count)
            parser.feed(bytes.slice(position..<end))
            try builder.append(parser)
            position = end
        }
        parser.finish()
        try builder.append(parser)
        if let failure = parser.failure { throw failure }
        guard let document = builder.finish() else {
            throw parser.error(XMLFault(.empty, "there is no document"))
        }
        self = document
    }
}
