/// A slot map with generations: a dense table that reuses its slots. Insertion, removal and look-up are O(1) and
/// allocate only to grow.
///
/// Indices are stable while an element lives, so tables may refer to each other by plain integers. Elements should be
/// trivial values, so that reading one field is a load and not a copy with its reference counts. Reference-counted
/// parts belong in a parallel `SlotParallelArray`.
struct SlotMap<Element: Sendable, Kind>: Sendable {
    private var elements: [Element] = []
    /// The serial of each slot's tenant; 0 while vacant.
    private var serials: [UInt32] = []
    private var vacant: [UInt32] = []
    // Counts over the whole life of the table, so that ids stay unique after the memory was freed.
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

    /// Returns the index of the element with this id; nil once it is gone.
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

    /// The indices in use, in no meaningful order. O(capacity).
    var indices: [Int] {
        serials.indices.filter { serials[$0] != 0 }
    }
}

/// The key of a slot map. It names one connection, waiter or dial of the pool and is never reused for another.
///
/// The slot is the storage index. The serial distinguishes the element from earlier tenants of the slot, so that a late
/// report about a removed element is recognised by one comparison.
package struct PoolID<Kind>: Hashable, Sendable {
    let slot: UInt32

    /// The number in order of creation, for logs. It wraps after 2³² elements of the same kind.
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

/// A parallel array of a slot map: the reference-counted parts of its elements, at the same indices.
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
    ///   - isLast: true if the slot map is now empty.
    mutating func remove(at index: Int, isLast: Bool) {
        values[index] = nil
        if isLast && values.count > PoolMemory.kept { values = [] }
    }
}

/// The memory policy of the pool's tables after a peak.
enum PoolMemory {
    /// A table that became empty frees its memory if it had more slots than this.
    static let kept = 1024
}
