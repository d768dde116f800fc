import SockeyeNet
import Testing

@Suite("Min-heap")
struct MinHeapTests {
    @Test("elements are removed in order, whatever the order of their insertion", arguments: [0, 1, 2, 3, 10, 1000])
    func order(count: Int) {
        var random = SystemRandomNumberGenerator()
        // Few distinct values, so that many are equal.
        let values = (0..<count).map { _ in Int.random(in: 0...count / 3, using: &random) }
        var heap = MinHeap<Int>()
        for value in values { heap.insert(value) }
        #expect(heap.count == count)
        #expect(heap.min == values.min())
        var sorted: [Int] = []
        while let value = heap.popMin() { sorted.append(value) }
        #expect(sorted == values.sorted())
        #expect(heap.count == 0)
        #expect(heap.min == nil)
    }

    @Test("insertions and removals in turn keep the smallest element first")
    func mixed() {
        var heap = MinHeap<Int>()
        var model: [Int] = []
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            if model.isEmpty || Bool.random(using: &random) {
                let value = Int.random(in: 0..<500, using: &random)
                heap.insert(value)
                model.append(value)
            } else {
                let smallest = model.min()
                #expect(heap.popMin() == smallest)
                if let index = model.firstIndex(where: { $0 == smallest }) { model.remove(at: index) }
            }
            #expect(heap.min == model.min())
        }
    }

    @Test("removing elements by a condition keeps the order of the others")
    func removal() {
        for count in [0, 1, 2, 7, 64, 501] {
            var heap = MinHeap<Int>()
            for value in (0..<count).shuffled() { heap.insert(value) }
            heap.removeAll { $0.isMultiple(of: 3) }
            var rest: [Int] = []
            while let value = heap.popMin() { rest.append(value) }
            #expect(rest == (0..<count).filter { !$0.isMultiple(of: 3) })
        }
    }
}
