/// Which namespaces the open elements declare (Namespaces in XML 1.0, 6).
///
/// The C library would tell the URI of each name; asking here instead lets all names share the one string of the
/// declaration. A document of a long URI and many short elements would else be blown up by as much as the URI is long.
struct XMLNamespaceScope {
    /// The innermost last.
    private var namespaces: [XMLNamespace] = []
    /// How many of them each open element declares.
    private var counts: [Int] = []

    /// How many are declared by the open elements together.
    var count: Int { namespaces.count }

    mutating func open(_ declared: [XMLNamespace]) {
        namespaces += declared
        counts.append(declared.count)
    }

    mutating func close() {
        namespaces.removeLast(counts.popLast() ?? 0)
    }

    /// A name with the namespace that its prefix stands for. A default namespace is none for attributes (6.2).
    func resolve(_ name: XMLName, isAttribute: Bool) -> XMLName {
        if isAttribute, name.prefix == nil { return name }
        return XMLName(name.local, prefix: name.prefix, namespace: uri(of: name.prefix))
    }

    private func uri(of prefix: String?) -> String? {
        if prefix == "xml" { return "http://www.w3.org/XML/1998/namespace" }
        guard let namespace = namespaces.last(where: { $0.prefix == prefix }) else { return nil }
        return namespace.uri.isEmpty ? nil : namespace.uri
    }
}
