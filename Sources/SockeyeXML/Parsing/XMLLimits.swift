#if XML
/// What a document may make its parser do. Each limit has its own kind of ``XMLError``.
///
/// There is none for the size of the document: events are made of any amount in bounded memory, and documents are bounded by
/// `BodyHandling.limit`.
public struct XMLLimits: Sendable, Hashable, Codable {
    /// How deep elements may be nested: 200 by default, never more than 2048.
    ///
    /// A tree is freed by recursion, wherever it happens to be let go: with 200 levels that takes less than 64 KiB of
    /// stack, with more about 270 bytes for each. Some threads have no more than 128 KiB. Nothing else needs stack for it.
    public var maximumDepth = 200
    /// The most bytes of a tag, comment, CDATA section, processing instruction or DTD, which have to be there as a whole
    /// before they can be parsed: 262,144 by default, never more than 8 MiB. Up to 8 KiB more may be let through, and of
    /// CDATA any amount with some versions of libxml2, which hand it over in pieces. With others a section of some
    /// mebibytes takes seconds.
    public var maximumTokenSize = 1 << 18
    /// The most attributes of an element: 1024 by default.
    public var maximumAttributes = 1024
    /// The most namespaces declared by an element and those around it, together: 256 by default.
    public var maximumNamespaces = 256
    /// The most different names of elements, attributes and so on in the whole document, which the parser remembers until
    /// its end, together with URIs of namespaces: 65,536 by default. Some hundreds more may be let through. They may not
    /// take more than about 10 MiB, a limit of libxml2's own.
    public var maximumNames = 1 << 16
    /// The most bytes that entities and default attributes of the DTD may put into the whole document, written out: 1 MiB
    /// by default. With 0 every reference to an entity that the document declares is an error.
    public var maximumExpansion = 1 << 20

    /// Makes the default limits.
    public init() {}

    /// Trees are freed by recursion, which has to end before the stack does.
    var depth: Int { min(maximumDepth, 2048) }

    /// Below limits that libxml2 has of its own, so that one is ever the same and has a kind of error of its own.
    var tokenSize: Int { min(maximumTokenSize, 8 << 20) }
}
#endif
