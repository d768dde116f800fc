/// An array that is nearly always empty or of one element. It allocates memory only for further elements.
struct SmallArray<Element> {
    private var first: Element?
    private var rest: [Element] = []

    init() {}

    var isEmpty: Bool { first == nil }

    mutating func append(_ element: Element) {
        if first == nil {
            first = element
        } else {
            rest.append(element)
        }
    }
}

extension SmallArray: Sequence {
    struct Iterator: IteratorProtocol {
        fileprivate var first: Element?
        fileprivate var rest: ArraySlice<Element>

        mutating func next() -> Element? {
            guard let first else { return rest.popFirst() }
            self.first = nil
            return first
        }
    }

    func makeIterator() -> Iterator {
        Iterator(first: first, rest: rest[...])
    }
}

extension SmallArray: Sendable where Element: Sendable {}
