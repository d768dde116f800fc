/// A slot map: a dense table that reuses its slots. Its keys detect removed elements. Insertion, removal and look-up
/// are O(1) and allocate only to grow.
///
/// The index of an element never changes, so other tables may refer to the element by a plain integer. Elements should
/// be trivial values: then reading one field is a plain load without reference counting. Reference-counted parts belong
/// in a parallel ``SlotParallelArray``.
@usableFromInline package struct SlotMap<Element: Sendable, Kind>: Sendable {
    @usableFromInline var elements: [Element] = []
    /// The serial of each slot's element; 0 while the slot is vacant.
    @usableFromInline var serials: [UInt32] = []
    /// The indices of the vacant slots, which are reused before the table grows.
    @usableFromInline var vacant: [UInt32] = []
    // Never reset, so that ids stay unique even after `remove(at:)` has freed the table's memory.
    @usableFromInline var lastSerial: UInt32 = 0

    @inlinable
    package init() {}

    @inlinable package var count: Int { serials.count - vacant.count }
    @inlinable package var isEmpty: Bool { serials.count == vacant.count }

    @inlinable
    package mutating func insert(_ element: Element) -> SlotID<Kind> {
        lastSerial = lastSerial == .max ? 1 : lastSerial + 1
        if let index = vacant.popLast() {
            elements[Int(index)] = element
            serials[Int(index)] = lastSerial
            return SlotID(slot: index, serial: lastSerial)
        }
        elements.append(element)
        serials.append(lastSerial)
        return SlotID(slot: UInt32(truncatingIfNeeded: serials.count - 1), serial: lastSerial)
    }

    /// Returns the index of the element with this id; nil if the element was removed.
    @inlinable
    package func index(of id: SlotID<Kind>) -> Int? {
        let index = Int(id.slot)
        guard index < serials.count, serials[index] == id.serial, id.serial != 0 else { return nil }
        return index
    }

    @inlinable
    package func id(at index: Int) -> SlotID<Kind> {
        SlotID(slot: UInt32(truncatingIfNeeded: index), serial: serials[index])
    }

    /// The element at an index, which must be in use.
    @inlinable
    package subscript(index: Int) -> Element {
        get { elements[index] }
        _modify { yield &elements[index] }
    }

    /// Vacates a slot. The value of its element stays in memory until the slot is reused or the table is freed.
    @inlinable
    package mutating func remove(at index: Int) {
        serials[index] = 0
        vacant.append(UInt32(truncatingIfNeeded: index))
        if isEmpty && serials.count > SlotMemory.kept {
            elements = []
            serials = []
            vacant = []
        }
    }

    /// The indices in use, in no meaningful order. O(capacity).
    @inlinable
    package var indices: [Int] {
        serials.indices.filter { serials[$0] != 0 }
    }
}

/// The key of a slot map. A key is not reused for another element until the serial wraps.
///
/// The slot is the storage index. The serial distinguishes the element from earlier elements in the slot, so that the
/// key of a removed element is recognised by one comparison.
@usableFromInline package struct SlotID<Kind>: Hashable, Sendable {
    @usableFromInline package let slot: UInt32
    /// The ordinal number of the insertion into the table, starting at 1. It wraps to 1 after 2³² − 1 insertions.
    @usableFromInline package let serial: UInt32

    @inlinable
    package init(slot: UInt32, serial: UInt32) {
        self.slot = slot
        self.serial = serial
    }
}

/// A parallel array of a slot map: the reference-counted parts of its elements, at the same indices.
@usableFromInline package struct SlotParallelArray<Value: Sendable>: Sendable {
    @usableFromInline var values: [Value?] = []

    @inlinable
    package init() {}

    @inlinable
    package subscript(index: Int) -> Value {
        values[index]!
    }

    @inlinable
    package mutating func insert(_ value: Value, at index: Int) {
        while values.count <= index { values.append(nil) }
        values[index] = value
    }

    /// - Parameters:
    ///   - isLast: True if the slot map is now empty.
    @inlinable
    package mutating func remove(at index: Int, isLast: Bool) {
        values[index] = nil
        if isLast && values.count > SlotMemory.kept { values = [] }
    }
}

/// The policy by which slot maps and their parallel arrays free memory after a peak.
@usableFromInline package enum SlotMemory {
    /// A table that became empty frees its memory if it had more slots than this.
    @inlinable package static var kept: Int { 1024 }
}
