/// Makes events of what the parser reports, and keeps to the limits. Values only: nothing here knows of C.
struct XMLEventCollector {
    private let limits: XMLLimits
    private var entities: XMLEntities
    private var depth = 0
    /// How many namespaces each open element declares, and all of them together.
    private var namespaceCounts: [Int] = []
    private var namespaceCount = 0
    /// Whether the root element has started.
    private(set) var hasRoot = false
    private(set) var events: [XMLEvent] = []
    /// Whether anything was reported since this was last set to false.
    var hasProgress = false

    /// Whether the root element has ended.
    var isComplete: Bool { hasRoot && depth == 0 }

    init(limits: XMLLimits) {
        self.limits = limits
        entities = XMLEntities(limit: limits.maximumExpansion)
    }

    /// The events so far, which are forgotten.
    mutating func takeEvents() -> [XMLEvent] {
        defer { events.removeAll(keepingCapacity: false) }
        return events
    }

    // MARK: Content

    /// - Parameter defaultCount: How many attributes, the last ones, come from the DTD.
    mutating func startElement(
        _ name: XMLName, _ attributes: [XMLAttribute], _ namespaces: [XMLNamespace], defaultCount: Int
    ) throws(XMLFault) {
        guard depth < limits.depth else {
            throw XMLFault(.tooDeep, "elements are nested more than \(limits.depth) deep")
        }
        guard attributes.count <= limits.maximumAttributes else {
            throw XMLFault(.tooManyAttributes, "an element has more than \(limits.maximumAttributes) attributes")
        }
        namespaceCount += namespaces.count
        guard namespaceCount <= limits.maximumNamespaces else {
            throw XMLFault(.tooManyNamespaces, "more than \(limits.maximumNamespaces) namespaces are declared at once")
        }
        var resolved = attributes
        for index in attributes.indices {
            let attribute = attributes[index]
            let isDefault = index >= attributes.count - defaultCount
            if isDefault { try entities.spend(attribute.value.utf8.count + 1) }
            let value = try entities.resolve(attribute.value)
            resolved[index] = XMLAttribute(attribute.name, value)
        }
        depth += 1
        hasRoot = true
        namespaceCounts.append(namespaces.count)
        append(.startElement(XMLTag(name, attributes: resolved, namespaces: namespaces)))
    }

    mutating func endElement(_ name: XMLName) {
        depth -= 1
        namespaceCount -= namespaceCounts.popLast() ?? 0
        append(.endElement(name))
    }

    mutating func append(_ event: XMLEvent) {
        hasProgress = true
        if case .text(let text) = event, case .text(let before) = events.last {
            // The parser cuts text at every line and reference. Taken out first, so that it is appended to in place.
            events.removeLast()
            var joined = before
            joined += text
            events.append(.text(joined))
        } else {
            events.append(event)
        }
    }

    // MARK: Entities

    mutating func declareEntity(_ name: String, _ content: XMLEntities.Content) {
        hasProgress = true
        entities.declare(name, content)
    }

    func checkEntity(_ name: String) throws(XMLFault) {
        try entities.check(name)
    }

    mutating func reference(_ name: String) throws(XMLFault) {
        append(.text(try entities.expansion(of: name)))
    }
}
