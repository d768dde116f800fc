#if XML
/// A SAX handler that makes events and enforces the limits. It uses no C types.
struct XMLEventCollector {
    private let limits: XMLLimits
    private var entities: XMLEntities
    private var scope = XMLNamespaceScope()
    /// The names of the open elements.
    private var openElements: [XMLEvent.Name] = []
    private var events: [XMLEvent] = []
    /// The text after the last event, collected because the C parser reports a piece for each line and reference.
    private var text = ""
    /// True if the DTD gives an attribute named `xmlns` or `xmlns:…` a default value, and thus declares a namespace.
    private var hasDefaultNamespaces = false
    /// The number of default attributes and of namespaces that the DTD declares for each element. The key is the
    /// address of the element's name in the C parser.
    private var defaultCounts: [UInt: (attributes: Int, namespaces: Int)] = [:]
    /// True if the root element has started.
    private(set) var hasRoot = false
    /// True if content was reported since this flag was last cleared.
    var hasReported = false

    /// True if the root element has ended.
    var isComplete: Bool { hasRoot && openElements.isEmpty }

    init(limits: XMLLimits) {
        self.limits = limits
        entities = XMLEntities(limit: limits.maximumExpansion)
    }

    /// Returns the events so far and removes them.
    mutating func takeEvents() -> [XMLEvent] {
        endText()
        defer { events.removeAll(keepingCapacity: false) }
        return events
    }

    // MARK: Content

    /// - Parameters:
    ///   - tag: The tag as the C parser reports it: names have no namespaces, and values have unresolved entity
    ///     references.
    ///   - defaultCount: The number of attributes, at the end of the list, that come from the DTD.
    mutating func startElement(_ tag: XMLEvent.Tag, defaultCount: Int) throws(XMLFault) {
        guard openElements.count < limits.depth else {
            throw XMLFault(.tooDeep, "elements are nested more than \(limits.depth) deep")
        }
        guard tag.attributes.count <= limits.maximumAttributes else {
            throw XMLFault(.tooManyAttributes, "an element has more than \(limits.maximumAttributes) attributes")
        }
        guard scope.count + tag.namespaces.count <= limits.maximumNamespaces else {
            throw XMLFault(.tooManyNamespaces, "more than \(limits.maximumNamespaces) namespaces are in scope")
        }
        let namespaces = try resolve(tag.namespaces)
        scope.open(namespaces)
        let attributes = try resolve(tag.attributes, defaultCount: defaultCount)
        let name = scope.resolve(tag.name, isAttribute: false)
        openElements.append(name)
        hasRoot = true
        append(.startElement(XMLEvent.Tag(name, attributes: attributes, namespaces: namespaces)))
    }

    mutating func endElement() {
        guard let name = openElements.popLast() else { return }
        scope.close()
        append(.endElement(name))
    }

    mutating func appendText(_ piece: String) {
        hasReported = true
        text += piece
    }

    mutating func append(_ event: XMLEvent) {
        hasReported = true
        endText()
        events.append(event)
    }

    private mutating func endText() {
        guard !text.isEmpty else { return }
        events.append(.text(text))
        text = ""
    }

    private mutating func resolve(_ namespaces: [XMLEvent.Namespace]) throws(XMLFault) -> [XMLEvent.Namespace] {
        var resolved = namespaces
        for (index, namespace) in namespaces.enumerated() {
            // All namespaces count against the limit on expansion, because libxml2 does not report which of them are
            // defaults of the DTD.
            if hasDefaultNamespaces {
                let prefix = namespace.prefix?.utf8.count ?? 0
                try entities.spend(namespace.uri.utf8.count + prefix + "xmlns:".utf8.count)
            }
            resolved[index] = XMLEvent.Namespace(prefix: namespace.prefix, uri: try entities.resolve(namespace.uri))
        }
        return resolved
    }

    private mutating func resolve(
        _ attributes: [XMLEvent.Attribute], defaultCount: Int
    ) throws(XMLFault) -> [XMLEvent.Attribute] {
        var resolved = attributes
        for (index, attribute) in attributes.enumerated() {
            if index >= attributes.count - defaultCount {
                // 4 bytes for a space, an equals sign and two quotation marks.
                try entities.spend(attribute.name.description.utf8.count + attribute.value.utf8.count + 4)
            }
            let name = scope.resolve(attribute.name, isAttribute: true)
            resolved[index] = XMLEvent.Attribute(name, try entities.resolve(attribute.value))
        }
        return resolved
    }

    // MARK: Declarations

    // `XMLPushParser` counts the bytes since content was last reported, and refuses more than `maximumTokenSize`.
    // Declarations do not set `hasReported`, and thus do not restart this count. So the limit also applies to a whole
    // DTD, which the C parser keeps in memory.

    mutating func declareEntity(_ name: String, _ content: XMLEntities.Content) {
        entities.declare(name, content)
    }

    /// Counts a default attribute or a namespace that the DTD declares. For each tag, the C parser compares every such
    /// declaration for the element with every other, which takes quadratic time. So the limits already apply to the
    /// declarations.
    mutating func declareDefault(of element: UInt, isNamespace: Bool) throws(XMLFault) {
        var count = defaultCounts[element] ?? (0, 0)
        if isNamespace { count.namespaces += 1 } else { count.attributes += 1 }
        defaultCounts[element] = count
        hasDefaultNamespaces = hasDefaultNamespaces || isNamespace
        guard count.attributes <= limits.maximumAttributes else {
            throw XMLFault(
                .tooManyAttributes, "the DTD declares more than \(limits.maximumAttributes) defaults for an element")
        }
        guard count.namespaces <= limits.maximumNamespaces else {
            throw XMLFault(
                .tooManyNamespaces,
                "the DTD declares more than \(limits.maximumNamespaces) namespaces for an element")
        }
    }

    func checkEntity(_ name: String) throws(XMLFault) {
        try entities.check(name)
    }

    mutating func reference(_ name: String) throws(XMLFault) {
        appendText(try entities.expansion(of: name))
    }
}

/// The stack of namespaces in scope (Namespaces in XML 1.0, 6).
///
/// Copying the URI from the C parser for each name would multiply the memory of a document with a long URI and many
/// short elements. Here all names share the string of the declaration.
struct XMLNamespaceScope {
    /// The declared namespaces, innermost last.
    private var namespaces: [XMLEvent.Namespace] = []
    /// The number of namespaces that each open element declares.
    private var counts: [Int] = []

    /// The number of namespaces that the open elements declare together.
    var count: Int { namespaces.count }

    mutating func open(_ declared: [XMLEvent.Namespace]) {
        namespaces += declared
        counts.append(declared.count)
    }

    mutating func close() {
        namespaces.removeLast(counts.popLast() ?? 0)
    }

    /// Returns a name with the namespace of its prefix. The default namespace does not apply to attributes (6.2).
    func resolve(_ name: XMLEvent.Name, isAttribute: Bool) -> XMLEvent.Name {
        if isAttribute, name.prefix == nil { return name }
        return XMLEvent.Name(name.local, prefix: name.prefix, namespace: uri(of: name.prefix))
    }

    private func uri(of prefix: String?) -> String? {
        if Self.isSame(prefix, "xml") { return "http://www.w3.org/XML/1998/namespace" }
        guard let namespace = namespaces.last(where: { Self.isSame($0.prefix, prefix) }) else { return nil }
        return namespace.uri.isEmpty ? nil : namespace.uri
    }

    /// Compares bytes, as XML requires. Swift's comparison would treat canonically equivalent strings as equal, and is
    /// slow for many combining marks.
    private static func isSame(_ one: String?, _ other: String?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.utf8.elementsEqual(other.utf8)
    }
}
#endif
