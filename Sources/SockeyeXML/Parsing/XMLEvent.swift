#if XML
/// An event of the parser: the next part of the document.
@nonexhaustive public enum XMLEvent: Sendable, Hashable {
    /// An element starts. For `<a/>`, ``endElement(_:)`` follows at once.
    case startElement(XMLEvent.Tag)
    /// An element ends.
    case endElement(XMLEvent.Name)
    /// Text, with references replaced. A long text comes in several pieces, split between Unicode scalars.
    case text(String)
    /// Text of a CDATA section. A long section comes in several pieces.
    case cdata(String)
    /// A comment, without its delimiters.
    case comment(String)
    /// A processing instruction. The XML declaration is not a processing instruction.
    case processingInstruction(target: String, data: String)
}

extension XMLEvent {
    /// A start tag.
    public struct Tag: Sendable, Hashable {
        /// The element's name.
        public let name: XMLEvent.Name
        /// The attributes in the order of the document, followed by default attributes of the DTD. Namespace
        /// declarations are not included.
        public let attributes: [XMLEvent.Attribute]
        /// The namespaces that this tag declares.
        public let namespaces: [XMLEvent.Namespace]

        package init(
            _ name: XMLEvent.Name, attributes: [XMLEvent.Attribute] = [], namespaces: [XMLEvent.Namespace] = []
        ) {
            self.name = name
            self.attributes = attributes
            self.namespaces = namespaces
        }

        /// The value of an attribute by its local name; nil if there is no such attribute.
        ///
        /// - Parameters:
        ///   - attribute: The local name.
        ///   - namespace: The URI of its namespace. If nil, the first attribute with that local name is returned.
        public subscript(attribute: String, namespace namespace: String? = nil) -> String? {
            attributes.first { $0.name.matches(attribute, in: namespace) }?.value
        }
    }
}

extension XMLEvent {
    /// An attribute of an element.
    public struct Attribute: Sendable, Hashable {
        /// The name. An attribute without a prefix is in no namespace.
        public let name: XMLEvent.Name
        /// The value, with references replaced.
        public let value: String

        package init(_ name: XMLEvent.Name, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}

extension XMLEvent {
    /// A namespace declared by `xmlns` or `xmlns:prefix`, for an element and its content.
    public struct Namespace: Sendable, Hashable {
        /// The prefix; nil for the default namespace.
        public let prefix: String?
        /// The URI; empty if `xmlns=""` removes the default namespace.
        public let uri: String

        package init(prefix: String?, uri: String) {
            self.prefix = prefix
            self.uri = uri
        }
    }
}

extension XMLEvent {
    /// The name of an element or attribute (Namespaces in XML 1.0).
    public struct Name: Sendable, Hashable, CustomStringConvertible {
        /// The name without its prefix.
        public let local: String
        /// The prefix of the namespace in this document; nil for no prefix. Another document may use another prefix for
        /// the same namespace.
        public let prefix: String?
        /// The URI of the namespace; nil if the name is in no namespace.
        public let namespace: String?

        package init(_ local: String, prefix: String? = nil, namespace: String? = nil) {
            self.local = local
            self.prefix = prefix
            self.namespace = namespace
        }

        /// Returns true if the local name equals `local`, and the namespace equals `namespace` unless that is nil.
        /// Compares bytes, as XML requires: Swift's comparison would treat canonically equivalent strings as equal, and
        /// is slow for many combining marks.
        func matches(_ local: String, in namespace: String?) -> Bool {
            guard self.local.utf8.elementsEqual(local.utf8) else { return false }
            guard let namespace else { return true }
            return self.namespace.map { $0.utf8.elementsEqual(namespace.utf8) } ?? false
        }

        /// The name as in the document, such as `atom:link`.
        public var description: String { prefix.map { "\($0):\(local)" } ?? local }
    }
}
#endif
