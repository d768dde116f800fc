/// An asynchronous sequence of given elements.
package struct Elements<Element: Sendable>: AsyncSequence, Sendable {
    package let elements: [Element]

    package init(_ elements: [Element]) {
        self.elements = elements
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Element>

        package mutating func next() async -> Element? { rest.popFirst() }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: elements[...]) }
}
