#if XML
/// What comes next in a document.
@nonexhaustive public enum XMLEvent: Sendable, Hashable {
    /// An element starts. `<a/>` starts and ends.
    case startElement(XMLEvent.Tag)
    /// An element ends.
    case endElement(XMLEvent.Name)
    /// Text, with references replaced. A long run comes in several pieces, cut anywhere between two characters.
    case text(String)
    /// Text of a CDATA section. A long one comes in several pieces.
    case cdata(String)
    /// A comment, without its marks.
    case comment(String)
    /// A processing instruction; the XML declaration is none.
    case processingInstruction(target: String, data: String)
}

extension XMLEvent {
    /// A start tag.
    public struct Tag: Sendable, Hashable {
        /// The element's name.
        public let name: XMLEvent.Name
        /// The attributes in the order of the document, with those that the DTD in the document has as defaults at the end.
        /// Declarations of namespaces are none.
        public let attributes: [XMLEvent.Attribute]
        /// The namespaces that are declared here.
        public let namespaces: [XMLEvent.Namespace]

        package init(
            _ name: XMLEvent.Name, attributes: [XMLEvent.Attribute] = [], namespaces: [XMLEvent.Namespace] = []
        ) {
            self.name = name
            self.attributes = attributes
            self.namespaces = namespaces
        }

        /// The value of an attribute by its local name; nil if there is none.
        ///
        /// - Parameters:
        ///   - attribute: The local name.
        ///   - namespace: The URI of its namespace; without one, the first attribute of that name counts.
        public subscript(attribute: String, namespace namespace: String? = nil) -> String? {
            attributes.first { $0.name.matches(attribute, in: namespace) }?.value
        }
    }
}

extension XMLEvent {
    /// An attribute of an element.
    public struct Attribute: Sendable, Hashable {
        /// Its name. One without a prefix is in no namespace.
        public let name: XMLEvent.Name
        /// Its value, with references replaced.
        public let value: String

        package init(_ name: XMLEvent.Name, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}

extension XMLEvent {
    /// A namespace that an element declares for itself and what is in it, with `xmlns` or `xmlns:prefix`.
    public struct Namespace: Sendable, Hashable {
        /// The prefix; nil for the namespace of names that have none.
        public let prefix: String?
        /// The URI; empty where `xmlns=""` takes the namespace away again.
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
        /// What the document abbreviates the namespace with; nil for none. Means nothing by itself: another document may have
        /// another prefix for the same namespace.
        public let prefix: String?
        /// The URI of the namespace; nil for none.
        public let namespace: String?

        package init(_ local: String, prefix: String? = nil, namespace: String? = nil) {
            self.local = local
            self.prefix = prefix
            self.namespace = namespace
        }

        /// Whether the local name is this one, and the namespace too unless it does not matter: byte for byte, as XML has it,
        /// and because comparing text of many combining marks takes long.
        func matches(_ local: String, in namespace: String?) -> Bool {
            guard self.local.utf8.elementsEqual(local.utf8) else { return false }
            guard let namespace else { return true }
            return self.namespace.map { $0.utf8.elementsEqual(namespace.utf8) } ?? false
        }

        /// The name as it stands in the document, such as `atom:link`.
        public var description: String { prefix.map { "\($0):\(local)" } ?? local }
    }
}
#endif
