/// Small array: nearly always empty or of one element, and allocates only beyond that.
package struct SmallArray<Element> {
    private var first: Element?
    private var rest: [Element] = []

    package init() {}

    package var isEmpty: Bool { first == nil }

    mutating func append(_ element: Element) {
        if first == nil {
            first = element
        } else {
            rest.append(element)
        }
    }
}

extension SmallArray: Sequence {
    package struct Iterator: IteratorProtocol {
        fileprivate var first: Element?
        fileprivate var rest: ArraySlice<Element>

        package mutating func next() -> Element? {
            guard let first else { return rest.popFirst() }
            self.first = nil
            return first
        }
    }

    package func makeIterator() -> Iterator {
        Iterator(first: first, rest: rest[...])
    }
}

extension SmallArray: Sendable where Element: Sendable {}
