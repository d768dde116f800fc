#if XML
/// Limits on the memory, stack and time that parsing a document may take. Each limit has its own kind of ``XMLError``.
///
/// The size of the XML text has no limit here. Parsing a text to events needs bounded memory for any size. The body of
/// an ``XMLDocument`` is limited by `BodyHandling.limit`.
public struct XMLLimits: Sendable, Hashable, Codable {
    /// The maximum depth of nested elements. Default 200; values above 2048 count as 2048.
    ///
    /// A tree is freed recursively, on the thread that releases its last reference. Freeing a tree with 200 levels
    /// takes less than 64 KiB of stack. Each further level takes about 270 bytes more. Some threads have only 128 KiB
    /// of stack, which is too little for the highest values.
    public var maximumDepth = 200
    /// The maximum number of bytes of a tag, comment, CDATA section, processing instruction or DTD. Default 262,144;
    /// values above 8 MiB count as 8 MiB. Up to 8 KiB more may be accepted.
    ///
    /// The limit is needed because libxml2 keeps each of these in memory until it is complete. One exception: some
    /// versions of libxml2 deliver a CDATA section in pieces, and then the limit does not apply to CDATA sections. With
    /// other versions, a CDATA section of some mebibytes takes seconds to parse, if the limit allows that size.
    public var maximumTokenSize = 1 << 18
    /// The maximum number of attributes of an element. The same limit applies to the default attributes that the DTD
    /// declares for an element. Default 1024.
    public var maximumAttributes = 1024
    /// The maximum number of namespaces declared by an element and its ancestors together. The same limit applies to
    /// the default values that the DTD declares for the `xmlns` attributes of an element. Default 256.
    public var maximumNamespaces = 256
    /// The maximum number of different names in the document, including namespace URIs. Default 65,536; some hundreds
    /// more may be accepted. Together the names must not exceed about 10 MiB, which is libxml2's own limit.
    public var maximumNames = 1 << 16
    /// The maximum number of bytes that entities and default attributes of the DTD may add to the document. Default 1
    /// MiB. With 0, every reference to a declared entity is an error.
    public var maximumExpansion = 1 << 20

    /// Creates the default limits.
    public init() {}

    /// The effective maximum depth: capped, because freeing a tree is recursive and must not overflow the stack.
    var depth: Int { min(maximumDepth, 2048) }

    /// The effective maximum size of a token: capped below libxml2's own limits, so that the limit and its kind of
    /// error do not depend on the version of libxml2.
    var tokenSize: Int { min(maximumTokenSize, 8 << 20) }
}
#endif
