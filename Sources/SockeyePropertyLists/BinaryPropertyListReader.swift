import SockeyeCore
import SockeyeEssentials
import SockeyeSerialization

/// A non-recursive parser of binary property lists (`bplist00`). A file has objects, a table of their offsets, and a
/// trailer.
struct BinaryPropertyListReader {
    static let signature = Array("bplist00".utf8)
    private static let trailerLength = 32

    let bytes: Bytes
    private var budget: PropertyListBudget
    /// The size of an offset in the table, in bytes.
    private var offsetLength = 0
    /// The size of a reference to an object, in bytes.
    private var referenceLength = 0
    private var objectCount = 0
    private var tableOffset = 0
    /// The scalar objects that were already read, by index: many places of a list may refer to the same object.
    private var known: [Int: PropertyListValue] = [:]

    init(_ bytes: Bytes, budget: PropertyListBudget) {
        self.bytes = bytes
        self.budget = budget
    }

    mutating func read() throws(PropertyListError) -> PropertyListValue {
        let start = bytes.count - Self.trailerLength
        guard start >= Self.signature.count else { throw malformed("the trailer is missing", at: bytes.count) }
        offsetLength = Int(bytes[start + 6])
        referenceLength = Int(bytes[start + 7])
        guard (1...8).contains(offsetLength), (1...8).contains(referenceLength) else {
            throw malformed("the trailer states an integer size outside of 1 to 8 bytes", at: start)
        }
        objectCount = try number(at: start + 8, length: 8)
        let top = try number(at: start + 16, length: 8)
        tableOffset = try number(at: start + 24, length: 8)
        let (tableLength, overflow) = objectCount.multipliedReportingOverflow(by: offsetLength)
        guard !overflow, tableOffset >= Self.signature.count, tableLength <= start, tableOffset <= start - tableLength
        else { throw malformed("the table of offsets lies outside of the list", at: start) }
        return try value(of: top)
    }

    /// Reads an object and the objects in it.
    private mutating func value(of top: Int) throws(PropertyListError) -> PropertyListValue {
        var open: [OpenContainer] = []
        var next = top
        while true {
            if let container = try container(next, depth: open.count) {
                open.append(container)
            } else {
                let value = try scalar(next)
                guard !open.isEmpty else { return value }
                try add(value, to: &open[open.count - 1])
            }
            while let last = open.last, last.isComplete {
                open.removeLast()
                guard !open.isEmpty else { return last.value }
                try add(last.value, to: &open[open.count - 1])
            }
            let last = open[open.count - 1]
            next = try number(at: last.start + last.read * referenceLength, length: referenceLength)
        }
    }

    /// Returns the offset of an object.
    private func offset(of index: Int) throws(PropertyListError) -> Int {
        guard index < objectCount else {
            throw malformed("an object refers to an object that does not exist", at: tableOffset)
        }
        let offset = try number(at: tableOffset + index * offsetLength, length: offsetLength)
        guard offset >= Self.signature.count, offset < tableOffset else {
            throw malformed(
                "the offset of an object is outside of the object area", at: tableOffset + index * offsetLength)
        }
        return offset
    }

    /// Opens a container for reading; nil if the object is a scalar.
    private mutating func container(_ index: Int, depth: Int) throws(PropertyListError) -> OpenContainer? {
        guard known[index] == nil else { return nil }
        let offset = try offset(of: index)
        let isDictionary: Bool
        switch bytes[offset] >> 4 {
        case 0xA, 0xB, 0xC: isDictionary = false
        case 0xD: isDictionary = true
        default: return nil
        }
        try PropertyListBudget.check(depth: depth, at: offset)
        let (start, count) = try content(at: offset, unit: isDictionary ? 2 * referenceLength : referenceLength)
        try budget.spend(containerOf: count, isDictionary: isDictionary, at: offset)
        return OpenContainer(offset: offset, start: start, count: count, isDictionary: isDictionary)
    }

    private mutating func scalar(_ index: Int) throws(PropertyListError) -> PropertyListValue {
        if let value = known[index] {
            try budget.spend(Self.size(of: value), at: tableOffset)
            return value
        }
        let offset = try offset(of: index)
        let value = try scalar(bytes[offset], at: offset)
        if case .string(let text) = value { try PropertyListBudget.check(text, at: offset) }
        try budget.spend(Self.size(of: value) + PropertyListBudget.sharedSize, at: offset)
        known[index] = value
        return value
    }

    private func add(_ value: PropertyListValue, to container: inout OpenContainer) throws(PropertyListError) {
        guard container.add(value) else { throw malformed("a key is not a string", at: container.offset) }
    }

    /// Returns the size in memory of the text or data of a value, for the budget. The fixed size of each element was
    /// spent when its container was opened.
    private static func size(of value: PropertyListValue) -> Int {
        switch value {
        case .string(let text): text.utf8.count
        case .data(let data): data.count
        default: 0
        }
    }
}

/// An array, set or dictionary during reading. A dictionary stores references to all keys, then to all values.
private struct OpenContainer {
    let offset: Int
    /// The offset of the references to its elements.
    let start: Int
    private let count: Int
    private let isDictionary: Bool
    /// The number of references that were read.
    private(set) var read = 0
    private var keys: [String] = []
    private var values: [PropertyListValue] = []

    init(offset: Int, start: Int, count: Int, isDictionary: Bool) {
        self.offset = offset
        self.start = start
        self.count = count
        self.isDictionary = isDictionary
        values.reserveCapacity(count)
        if isDictionary { keys.reserveCapacity(count) }
    }

    var isComplete: Bool { values.count == count }

    var takesKey: Bool { isDictionary && keys.count < count }

    /// Adds a key or a value. Returns false if the next element must be a key and is not a string.
    mutating func add(_ value: PropertyListValue) -> Bool {
        read += 1
        guard takesKey else {
            values.append(value)
            return true
        }
        guard case .string(let key) = value else { return false }
        keys.append(key)
        return true
    }

    var value: PropertyListValue {
        isDictionary ? .dictionary(RequestParameters(Array(zip(keys, values)))) : .array(values)
    }
}

extension BinaryPropertyListReader {
    /// Reads a scalar object.
    func scalar(_ marker: UInt8, at offset: Int) throws(PropertyListError) -> PropertyListValue {
        switch (marker >> 4, marker & 15) {
        case (0x0, 0x8): return .bool(false)
        case (0x0, 0x9): return .bool(true)
        case (0x1, let power): return try integer(at: offset + 1, power: Int(power))
        case (0x2, let power): return .double(try real(at: offset + 1, power: Int(power)))
        case (0x3, 0x3): return try date(at: offset)
        case (0x4, _):
            let (start, count) = try content(at: offset, unit: 1)
            return .data(Data(bytes.slice(start..<start + count)))
        case (0x5, _), (0x7, _):
            let (start, count) = try content(at: offset, unit: 1)
            let text = bytes.slice(start..<start + count)
            guard marker >> 4 == 0x7 || text.allSatisfy({ $0 < 0x80 }) else {
                throw malformed("an ASCII string has a byte that is not ASCII", at: offset)
            }
            return .string(String(decoding: text, as: UTF8.self))
        case (0x6, _):
            let (start, count) = try content(at: offset, unit: 2)
            let units = (0..<count).lazy.map { index in
                let (high, low) = (bytes[start + 2 * index], bytes[start + 2 * index + 1])
                return UInt16(high) << 8 | UInt16(low)
            }
            return .string(String(decoding: units, as: UTF16.self))
        default:
            throw PropertyListError(
                .unsupported, "an object has an unsupported type, such as the UID of keyed archives", at: offset)
        }
    }

    /// Returns the offset at which an object's content starts, and the number of elements in the content, each of
    /// `unit` bytes. Checks that the content lies within the list.
    func content(at offset: Int, unit: Int) throws(PropertyListError) -> (start: Int, count: Int) {
        var start = offset + 1
        var count = Int(bytes[offset] & 15)
        if count == 15 {
            guard start < bytes.count, bytes[start] >> 4 == 1, bytes[start] & 15 <= 3 else {
                throw malformed("the length of an object is not a number", at: start)
            }
            let length = 1 << Int(bytes[start] & 15)
            count = try number(at: start + 1, length: length)
            start += 1 + length
        }
        let (size, overflow) = count.multipliedReportingOverflow(by: unit)
        guard !overflow, start <= bytes.count, size <= bytes.count - start else {
            throw malformed("an object extends beyond the end of the list", at: offset)
        }
        return (start, count)
    }

    /// Reads an integer. Integers of up to 4 bytes are unsigned, those of 8 bytes are signed, and those of 16 bytes
    /// must fit into 64 bits.
    private func integer(at offset: Int, power: Int) throws(PropertyListError) -> PropertyListValue {
        guard power <= 4 else { throw malformed("an integer has more than 16 bytes", at: offset) }
        guard power == 4 else {
            let bits = try bits(at: offset, length: 1 << power)
            return .integer(Int64(bitPattern: bits))
        }
        let (high, low) = (try bits(at: offset, length: 8), try bits(at: offset + 8, length: 8))
        if high == 0 { return .number(low) }
        guard high == UInt64.max, low >> 63 == 1 else {
            throw PropertyListError(.unsupported, "an integer has more than 64 bits", at: offset)
        }
        return .integer(Int64(bitPattern: low))
    }

    private func real(at offset: Int, power: Int) throws(PropertyListError) -> Double {
        let bits = try bits(at: offset, length: 1 << min(power, 4))
        switch power {
        case 2: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        case 3: return Double(bitPattern: bits)
        default: throw malformed("a real number has neither 4 nor 8 bytes", at: offset)
        }
    }

    /// Reads a date, in seconds since 2001-01-01T00:00:00Z. Refuses infinity and NaN, which are not points in time. In
    /// addition, Foundation's `description` of a date traps if the date is NaN.
    private func date(at offset: Int) throws(PropertyListError) -> PropertyListValue {
        let seconds = try real(at: offset + 1, power: 3)
        guard seconds.isFinite else { throw malformed("a date is infinite or not a number", at: offset) }
        return .date(Date(timeIntervalSinceReferenceDate: seconds))
    }

    /// Reads a length, an object number or an offset.
    func number(at offset: Int, length: Int) throws(PropertyListError) -> Int {
        guard let number = Int(exactly: try bits(at: offset, length: length)) else {
            throw malformed("a length or an offset is too large", at: offset)
        }
        return number
    }

    /// Reads up to 8 bytes, big-endian.
    private func bits(at offset: Int, length: Int) throws(PropertyListError) -> UInt64 {
        guard offset >= 0, offset <= bytes.count, length <= bytes.count - offset else {
            throw malformed("an object extends beyond the end of the list", at: bytes.count)
        }
        return bytes.slice(offset..<offset + length).reduce(0) { $0 << 8 | UInt64($1) }
    }

    func malformed(_ message: String, at offset: Int) -> PropertyListError {
        PropertyListError(.malformed, message, at: offset)
    }
}
