import NIOCore

/// A value in an answer of RESP 2, the protocol of Redis and Valkey.
enum RESPValue: Sendable, Equatable {
    case text(String)
    case failure(String)
    case integer(Int)
    /// A byte string; nil for RESP's null.
    case bytes(ByteBuffer?)
    case list([RESPValue])

    var bytes: ByteBuffer? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }
}

/// Reads one value at a time. Data that violates the protocol, or is nested deeper than any answer to this store, is an
/// error.
struct RESPDecoder: NIOSingleStepByteToMessageDecoder {
    typealias InboundOut = RESPValue

    struct Malformed: Error {}

    func decode(buffer: inout ByteBuffer) throws -> RESPValue? {
        // The copy shares its bytes. The reader position of `buffer` moves only if the value is complete.
        var rest = buffer
        guard let value = try Self.value(&rest, depth: 3) else { return nil }
        buffer = rest
        return value
    }

    func decodeLast(buffer: inout ByteBuffer, seenEOF: Bool) throws -> RESPValue? { try decode(buffer: &buffer) }

    private static func value(_ buffer: inout ByteBuffer, depth: Int) throws -> RESPValue? {
        guard depth > 0 else { throw Malformed() }
        guard let line = line(&buffer) else { return nil }
        let text = String(line.dropFirst())
        switch line.first {
        case "+": return .text(text)
        case "-": return .failure(text)
        case ":": return .integer(try number(text))
        case "$":
            let count = try number(text)
            guard count >= 0 else { return .bytes(nil) }
            guard let bytes = buffer.readSlice(length: count), let end = buffer.readString(length: 2) else {
                return nil
            }
            guard end == "\r\n" else { throw Malformed() }
            return .bytes(bytes)
        case "*":
            var values: [RESPValue] = []
            for _ in 0..<max(0, try number(text)) {
                guard let value = try value(&buffer, depth: depth - 1) else { return nil }
                values.append(value)
            }
            return .list(values)
        default: throw Malformed()
        }
    }

    private static func line(_ buffer: inout ByteBuffer) -> String? {
        guard let end = buffer.readableBytesView.firstIndex(of: UInt8(ascii: "\n")), end > buffer.readerIndex else {
            return nil
        }
        let line = buffer.readString(length: end - 1 - buffer.readerIndex)
        buffer.moveReaderIndex(forwardBy: 2)
        return line
    }

    private static func number(_ text: String) throws -> Int {
        guard let number = Int(text), number <= 512 << 20 else { throw Malformed() }
        return number
    }
}
