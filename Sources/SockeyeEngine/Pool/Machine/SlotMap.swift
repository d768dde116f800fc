/// Slot map with generations: a dense table whose places are used again. Insertion, removal and look-up are O(1) and
/// allocate only to grow.
///
/// Indices are stable while an element lives, so tables may refer to each other by plain integers. Elements should be
/// plain bits, so that looking at one field of one is a load and not a copy with its reference counts; whatever needs
/// those stands in a `SlotParallelArray` beside.
struct SlotMap<Element: Sendable, Kind>: Sendable {
    private var elements: [Element] = []
    /// Per place, the serial of its tenant; 0 while vacant.
    private var serials: [UInt32] = []
    private var vacant: [UInt32] = []
    // Counts across the whole life of the table, so that ids stay unique after memory was given back.
    private var lastSerial: UInt32 = 0

    var count: Int { serials.count - vacant.count }
    var isEmpty: Bool { serials.count == vacant.count }

    mutating func insert(_ element: Element) -> PoolID<Kind> {
        lastSerial = lastSerial == .max ? 1 : lastSerial + 1
        if let index = vacant.popLast() {
            elements[Int(index)] = element
            serials[Int(index)] = lastSerial
            return PoolID(slot: index, serial: lastSerial)
        }
        elements.append(element)
        serials.append(lastSerial)
        return PoolID(slot: UInt32(truncatingIfNeeded: serials.count - 1), serial: lastSerial)
    }

    /// Where the element of this id lives; nil once it is gone.
    func index(of id: PoolID<Kind>) -> Int? {
        let index = Int(id.slot)
        guard index < serials.count, serials[index] == id.serial, id.serial != 0 else { return nil }
        return index
    }

    func id(at index: Int) -> PoolID<Kind> {
        PoolID(slot: UInt32(truncatingIfNeeded: index), serial: serials[index])
    }

    /// The element at an index that the caller knows to be in use.
    subscript(index: Int) -> Element {
        get { elements[index] }
        _modify { yield &elements[index] }
    }

    mutating func remove(at index: Int) {
        serials[index] = 0
        vacant.append(UInt32(truncatingIfNeeded: index))
        if isEmpty && serials.count > PoolMemory.kept {
            elements = []
            serials = []
            vacant = []
        }
    }

    /// The places in use, in no order that means anything. O(capacity).
    var indices: [Int] {
        serials.indices.filter { serials[$0] != 0 }
    }
}

/// Key of a slot map: names one thing of the pool (a connection, a waiter, a dial) for as long as it lives, and never another after it.
///
/// The slot is where it is stored; the serial tells it from earlier tenants of that slot, so that a late report
/// about something gone is recognised by one comparison instead of a look-up in a dictionary.
package struct PoolID<Kind>: Hashable, Sendable {
    let slot: UInt32

    /// The number in order of creation, for logs. It wraps after four thousand million of its kind.
    package let serial: UInt32
}

/// The tag of connection ids (a phantom type).
package enum ConnectionKind {}
/// The tag of waiter ids (a phantom type).
package enum WaiterKind {}
/// The tag of dial ids (a phantom type).
package enum DialKind {}
/// The tag of origin ids (a phantom type), which stay inside the machine.
enum OriginKind {}

package typealias ConnectionID = PoolID<ConnectionKind>
package typealias WaiterID = PoolID<WaiterKind>
package typealias DialID = PoolID<DialKind>

/// Parallel array of a slot map: what belongs to its elements but is reference-counted, at the same indices.
struct SlotParallelArray<Value: Sendable>: Sendable {
    private var values: [Value?] = []

    subscript(index: Int) -> Value {
        values[index]!
    }

    mutating func insert(_ value: Value, at index: Int) {
        while values.count <= index { values.append(nil) }
        values[index] = value
    }

    /// - Parameters:
    ///   - isLast: nothing is left in the slab.
    mutating func remove(at index: Int, isLast: Bool) {
        values[index] = nil
        if isLast && values.count > PoolMemory.kept { values = [] }
    }
}

/// The memory policy of the pool's tables after a rush.
enum PoolMemory {
    /// A table that got empty gives its memory back if it had more places than this.
    static let kept = 1024
}
