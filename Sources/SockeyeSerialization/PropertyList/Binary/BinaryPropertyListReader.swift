import FoundationEssentials
import SockeyeCore

/// Reads the binary form of a property list (`bplist00`): objects, a table of their offsets, and a trailer.
struct BinaryPropertyListReader {
    static let signature = Array("bplist00".utf8)
    private static let trailerLength = 32

    let bytes: Bytes
    private var budget: PropertyListBudget
    private var offsetLength = 0
    private var referenceLength = 0
    private var objectCount = 0
    private var tableOffset = 0
    /// Objects without parts that were read already, since many places may refer to one of them.
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
            throw malformed("the trailer has impossible sizes", at: start)
        }
        objectCount = try number(at: start + 8, length: 8)
        let top = try number(at: start + 16, length: 8)
        tableOffset = try number(at: start + 24, length: 8)
        let (tableLength, overflow) = objectCount.multipliedReportingOverflow(by: offsetLength)
        guard !overflow, tableOffset >= Self.signature.count, tableLength <= start, tableOffset <= start - tableLength
        else { throw malformed("the table of offsets is not where the trailer says", at: start) }
        return try object(top, depth: 0)
    }

    /// The object of this number.
    private mutating func object(_ index: Int, depth: Int) throws(PropertyListError) -> PropertyListValue {
        if let value = known[index] {
            try budget.spend(Self.size(of: value), at: tableOffset)
            return value
        }
        guard index < objectCount else { throw malformed("an object refers to one that is not there", at: tableOffset) }
        let offset = try number(at: tableOffset + index * offsetLength, length: offsetLength)
        guard offset >= Self.signature.count, offset < tableOffset else {
            throw malformed("an object lies outside the objects", at: tableOffset + index * offsetLength)
        }
        let marker = bytes[offset]
        switch marker >> 4 {
        case 0xA, 0xB, 0xC: return .array(try elements(at: offset, depth: depth))
        case 0xD: return .dictionary(Parameters(try members(at: offset, depth: depth)))
        default:
            let value = try scalar(marker, at: offset)
            known[index] = value
            try budget.spend(Self.size(of: value), at: offset)
            return value
        }
    }

    private mutating func elements(at offset: Int, depth: Int) throws(PropertyListError) -> [PropertyListValue] {
        try PropertyListBudget.check(depth: depth, at: offset)
        let (start, count) = try content(at: offset, unit: referenceLength)
        try budget.spend(count, at: offset)
        var elements: [PropertyListValue] = []
        elements.reserveCapacity(count)
        for index in 0..<count { elements.append(try reference(start, index, depth)) }
        return elements
    }

    private mutating func members(at offset: Int, depth: Int) throws(PropertyListError) -> [String: PropertyListValue] {
        try PropertyListBudget.check(depth: depth, at: offset)
        let (start, count) = try content(at: offset, unit: 2 * referenceLength)
        try budget.spend(count, at: offset)
        var members: [String: PropertyListValue] = [:]
        members.reserveCapacity(count)
        for index in 0..<count {
            guard case .string(let key) = try reference(start, index, depth) else {
                throw malformed("a key is no string", at: offset)
            }
            members[key] = try reference(start, count + index, depth)
        }
        return members
    }

    private mutating func reference(
        _ start: Int, _ index: Int, _ depth: Int
    ) throws(PropertyListError) -> PropertyListValue {
        let target = try number(at: start + index * referenceLength, length: referenceLength)
        return try object(target, depth: depth + 1)
    }

    private static func size(of value: PropertyListValue) -> Int {
        switch value {
        case .string(let text): text.utf8.count
        case .data(let data): data.count
        default: 8
        }
    }
}
