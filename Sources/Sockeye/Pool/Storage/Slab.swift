/// A dense table whose places are used again: insertion, removal and look-up are O(1) and allocate only to grow.
///
/// Indices are stable while an element lives, so tables may refer to each other by plain integers.
struct Slab<Element: Sendable, Kind>: Sendable {
    private struct Slot: Sendable {
        var serial: UInt32
        var element: Element?
    }

    /// Above this many places, an empty table gives its memory back.
    private static var kept: Int { 1024 }

    private var slots: [Slot] = []
    private var vacant: [UInt32] = []
    // Counts across the whole life of the table, so that ids stay unique after memory was given back.
    private var lastSerial: UInt32 = 0

    var count: Int { slots.count - vacant.count }
    var isEmpty: Bool { slots.count == vacant.count }

    mutating func insert(_ element: Element) -> PoolID<Kind> {
        lastSerial &+= 1
        let slot = Slot(serial: lastSerial, element: element)
        if let index = vacant.popLast() {
            slots[Int(index)] = slot
            return PoolID(slot: index, serial: lastSerial)
        }
        slots.append(slot)
        return PoolID(slot: UInt32(truncatingIfNeeded: slots.count - 1), serial: lastSerial)
    }

    /// Where the element of this id lives; nil once it is gone.
    func index(of id: PoolID<Kind>) -> Int? {
        let index = Int(id.slot)
        guard index < slots.count, slots[index].serial == id.serial, slots[index].element != nil else { return nil }
        return index
    }

    func id(at index: Int) -> PoolID<Kind> {
        PoolID(slot: UInt32(truncatingIfNeeded: index), serial: slots[index].serial)
    }

    /// The element at an index that the caller knows to be in use.
    subscript(index: Int) -> Element {
        get { slots[index].element! }
        _modify { yield &slots[index].element! }
    }

    mutating func remove(at index: Int) {
        slots[index].element = nil
        vacant.append(UInt32(truncatingIfNeeded: index))
        if isEmpty && slots.count > Self.kept {
            slots = []
            vacant = []
        }
    }

    /// The places in use, in no order that means anything. O(capacity).
    var indices: [Int] {
        slots.indices.filter { slots[$0].element != nil }
    }
}
