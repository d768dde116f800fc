import FoundationEssentials
import SockeyeCore

extension BinaryPropertyListReader {
    /// An object without parts.
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
                throw malformed("an ASCII string is none", at: offset)
            }
            return .string(String(decoding: text, as: UTF8.self))
        case (0x6, _):
            let (start, count) = try content(at: offset, unit: 2)
            let units = (0..<count).lazy.map { UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1]) }
            return .string(String(decoding: units, as: UTF16.self))
        default:
            throw PropertyListError(.unsupported, "an object is of a kind that only archives have", at: offset)
        }
    }

    /// Where the content of an object starts, and how many units of this length it has; they are all there.
    func content(at offset: Int, unit: Int) throws(PropertyListError) -> (start: Int, count: Int) {
        var start = offset + 1
        var count = Int(bytes[offset] & 15)
        if count == 15 {
            guard start < bytes.count, bytes[start] >> 4 == 1, bytes[start] & 15 <= 3 else {
                throw malformed("the length of an object is no number", at: start)
            }
            let length = 1 << Int(bytes[start] & 15)
            count = try number(at: start + 1, length: length)
            start += 1 + length
        }
        let (size, overflow) = count.multipliedReportingOverflow(by: unit)
        guard !overflow, start <= bytes.count, size <= bytes.count - start else {
            throw malformed("an object ends behind the list", at: offset)
        }
        return (start, count)
    }

    /// Up to 4 bytes are unsigned, 8 are signed, and of 16 only those are read that fit into 64 bits.
    private func integer(at offset: Int, power: Int) throws(PropertyListError) -> PropertyListValue {
        guard power <= 4 else { throw malformed("an integer has an impossible size", at: offset) }
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
        default: throw malformed("a number has an impossible size", at: offset)
        }
    }

    /// Seconds since 2001. A date that is not a number could not even be printed: its description traps.
    private func date(at offset: Int) throws(PropertyListError) -> PropertyListValue {
        let seconds = try real(at: offset + 1, power: 3)
        guard seconds.isFinite else { throw malformed("a date is infinite or not a number", at: offset) }
        return .date(Date(timeIntervalSinceReferenceDate: seconds))
    }

    /// A length, a number of an object or an offset.
    func number(at offset: Int, length: Int) throws(PropertyListError) -> Int {
        guard let number = Int(exactly: try bits(at: offset, length: length)) else {
            throw malformed("a length or an offset is beyond all bounds", at: offset)
        }
        return number
    }

    /// Up to 8 bytes, the first being the highest.
    private func bits(at offset: Int, length: Int) throws(PropertyListError) -> UInt64 {
        guard offset >= 0, offset <= bytes.count, length <= bytes.count - offset else {
            throw malformed("an object ends behind the list", at: bytes.count)
        }
        return bytes.slice(offset..<offset + length).reduce(0) { $0 << 8 | UInt64($1) }
    }

    func malformed(_ message: String, at offset: Int) -> PropertyListError {
        PropertyListError(.malformed, message, at: offset)
    }
}
