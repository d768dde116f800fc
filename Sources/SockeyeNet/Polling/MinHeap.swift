/// A binary min-heap. Inserting an element takes O(log n), and so does removing the smallest.
///
/// Equal elements come out in any order. The heap is in this module so that the compiler specializes it for the poller.
/// Without specialization, a small GET over one connection takes 10 % more instructions and three more allocations.
package struct MinHeap<Element: Comparable> {
    private var elements: [Element] = []

    package init() {}

    package var count: Int { elements.count }

    /// The smallest element; nil if the heap is empty.
    package var min: Element? { elements.first }

    package mutating func insert(_ element: Element) {
        elements.append(element)
        siftUp(elements.count - 1)
    }

    /// Removes and returns the smallest element; nil if the heap is empty.
    package mutating func popMin() -> Element? {
        guard let last = elements.popLast() else { return nil }
        guard let first = elements.first else { return last }
        elements[0] = last
        siftDown(0)
        return first
    }

    /// Removes every element for which `isRemoved` returns true, in O(n).
    package mutating func removeAll(where isRemoved: (Element) -> Bool) {
        elements.removeAll(where: isRemoved)
        for index in stride(from: elements.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard elements[index] < elements[parent] else { return }
            elements.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            var child = 2 * index + 1
            guard child < elements.count else { return }
            if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
            guard elements[child] < elements[index] else { return }
            elements.swapAt(index, child)
            index = child
        }
    }
}

extension MinHeap: Sendable where Element: Sendable {}
