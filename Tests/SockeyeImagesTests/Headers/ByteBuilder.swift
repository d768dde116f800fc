#if Images
/// Assembles the bytes of a file.
struct ByteBuilder {
    private(set) var bytes: [UInt8] = []

    static func += (builder: inout ByteBuilder, bytes: [UInt8]) {
        builder.bytes += bytes
    }

    static func += (builder: inout ByteBuilder, text: String) {
        builder.bytes += Array(text.utf8)
    }

    mutating func big(_ value: Int, _ length: Int) {
        for index in (0..<length).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    mutating func little(_ value: Int, _ length: Int) {
        for index in 0..<length { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}
#endif
