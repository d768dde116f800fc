/// A writer of protobuf messages, with the kinds of fields that OTLP has.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    private enum WireType: UInt64 {
        case varint = 0
        case fixed64 = 1
        case lengthDelimited = 2
    }

    mutating func number(_ field: Int, _ value: UInt64) {
        key(field, .varint)
        varint(value)
    }

    mutating func fixed(_ field: Int, _ value: UInt64) {
        key(field, .fixed64)
        bytes += Self.littleEndian(value)
    }

    mutating func double(_ field: Int, _ value: Double) { fixed(field, value.bitPattern) }

    mutating func bytes(_ field: Int, _ value: some Collection<UInt8>) {
        key(field, .lengthDelimited)
        varint(UInt64(value.count))
        bytes += value
    }

    mutating func text(_ field: Int, _ value: String) { bytes(field, Array(value.utf8)) }

    /// Writes a repeated field of 64-bit values in the packed form.
    mutating func packed(_ field: Int, _ values: [UInt64]) { bytes(field, values.flatMap(Self.littleEndian)) }

    mutating func message(_ field: Int, _ fill: (inout ProtobufWriter) -> Void) {
        var message = ProtobufWriter()
        fill(&message)
        bytes(field, message.bytes)
    }

    private mutating func key(_ field: Int, _ type: WireType) { varint(UInt64(field) << 3 | type.rawValue) }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func littleEndian(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
}
