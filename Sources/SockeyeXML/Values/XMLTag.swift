/// A start tag.
public struct XMLTag: Sendable, Hashable {
    /// The element's name.
    public let name: XMLName
    /// The attributes in the order of the document, with those that the DTD in the document has as defaults at the end.
    /// Declarations of namespaces are none.
    public let attributes: [XMLAttribute]
    /// The namespaces that are declared here.
    public let namespaces: [XMLNamespace]

    package init(_ name: XMLName, attributes: [XMLAttribute] = [], namespaces: [XMLNamespace] = []) {
        self.name = name
        self.attributes = attributes
        self.namespaces = namespaces
    }

    /// The value of an attribute by its local name; nil if there is none.
    ///
    /// - Parameter namespace: The URI of its namespace; without one, the first attribute of that name counts.
    public subscript(attribute: String, namespace namespace: String? = nil) -> String? {
        attributes.first { $0.name.matches(attribute, in: namespace) }?.value
    }
}
