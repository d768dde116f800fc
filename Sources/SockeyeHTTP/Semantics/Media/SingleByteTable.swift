/// An encoding in which each byte is a character and the lower half is ASCII (WHATWG Encoding, 9).
///
/// These are decoded here and not by the C library, since small systems lack its converters, and since it composes
/// letters and accents where the standard does not.
struct SingleByteTable: Sendable {
    /// The characters of the bytes from 0x80 on, U+FFFD for those that stand for none.
    private let upperHalf: [UInt16]

    /// Nil if the encoding is none of these.
    init?(_ encoding: TextEncoding) {
        guard let upperHalf = Self.upperHalves[encoding.name] else { return nil }
        self.upperHalf = upperHalf
    }

    func decode(_ bytes: UnsafeRawBufferPointer) -> String {
        if unsafe bytes.allSatisfy({ $0 < 0x80 }) { return unsafe String(decoding: bytes, as: UTF8.self) }
        return unsafe String(
            decoding: bytes.lazy.map { $0 < 0x80 ? UInt16($0) : upperHalf[Int($0) - 0x80] }, as: UTF16.self)
    }

    /// By the names of the encodings; unpacked on first use.
    private static let upperHalves: [String: [UInt16]] = {
        var tables: [String: [UInt16]] = [:]
        var reader = PackedReader(SingleByteData.packed)
        for name in SingleByteData.names.description.split(whereSeparator: \.isWhitespace) {
            tables[String(name)] = upperHalf(&reader)
        }
        // The same letters; the difference is the order in which they are shown.
        tables["ISO-8859-8-I"] = tables["ISO-8859-8"]
        return tables
    }()

    private static func upperHalf(_ reader: inout PackedReader) -> [UInt16] {
        var table: [UInt16] = []
        var expected: Int32 = 0x80
        while table.count < 0x80 {
            let head = reader.next()
            guard head & 1 == 0 else {
                table.append(contentsOf: repeatElement(0xFFFD, count: Int(head >> 1)))
                continue
            }
            let first = expected + reader.nextSigned()
            expected = first + Int32(head >> 1)
            table.append(contentsOf: (first..<expected).map { UInt16($0) })
        }
        return table
    }
}
