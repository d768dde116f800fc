/// A list that is nearly always empty or of one element, and allocates only beyond that.
package struct Few<Element> {
    private var first: Element?
    private var rest: [Element] = []

    package init() {}

    package var isEmpty: Bool { first == nil }
    package var count: Int { first == nil ? 0 : rest.count + 1 }

    mutating func append(_ element: Element) {
        if first == nil {
            first = element
        } else {
            rest.append(element)
        }
    }

    package func forEach(_ body: (Element) throws -> Void) rethrows {
        guard let first else { return }
        try body(first)
        for element in rest { try body(element) }
    }

    package var array: [Element] {
        guard let first else { return [] }
        return [first] + rest
    }
}

extension Few: Sendable where Element: Sendable {}
