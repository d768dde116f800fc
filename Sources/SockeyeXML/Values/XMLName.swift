/// The name of an element or attribute (Namespaces in XML 1.0).
public struct XMLName: Sendable, Hashable, CustomStringConvertible {
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
