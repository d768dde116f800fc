import SockeyeCore
import Testing

@Suite("Slot map")
struct SlotMapTests {
    private enum Kind {}

    @Test("An id finds its element until the element is removed, and nothing after its slot is reused")
    func staleID() {
        var map = SlotMap<String, Kind>()
        let first = map.insert("a")
        #expect(map.index(of: first).map { map[$0] } == "a")
        map.remove(at: Int(first.slot))
        #expect(map.index(of: first) == nil)
        let second = map.insert("b")
        #expect(second.slot == first.slot)
        #expect(second.serial != first.serial)
        #expect(map.index(of: first) == nil)
        #expect(map.index(of: second).map { map[$0] } == "b")
    }

    @Test("Serials never repeat and are never 0, also after the memory of an empty map was freed")
    func serials() {
        var map = SlotMap<Int, Kind>()
        let ids = (0...SlotMemory.kept).map { map.insert($0) }
        for id in ids { map.remove(at: Int(id.slot)) }
        #expect(map.isEmpty)
        let next = map.insert(-1)
        #expect(next.slot == 0)
        #expect(!ids.contains(next))
        #expect(!ids.contains { $0.serial == 0 })
    }

    @Test("The indices are those of the elements that remain")
    func indices() {
        var map = SlotMap<Int, Kind>()
        let ids = (0..<4).map { map.insert($0) }
        map.remove(at: Int(ids[1].slot))
        #expect(map.indices.map { map[$0] } == [0, 2, 3])
        #expect(map.count == 3)
        #expect(map.indices.map { map.id(at: $0) } == [ids[0], ids[2], ids[3]])
    }

    @Test("Removing a value from a parallel array keeps the values at other indices")
    func parallelArray() {
        var values = SlotParallelArray<String>()
        values.insert("c", at: 2)
        values.insert("a", at: 0)
        values.remove(at: 0, isLast: false)
        #expect(values[2] == "c")
    }
}
