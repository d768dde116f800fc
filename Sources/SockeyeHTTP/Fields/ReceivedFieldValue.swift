/// The decoder of received field values: UTF-8 if they are valid UTF-8, else ISO-8859-1 (RFC 9110 5.5).
enum ReceivedFieldValue {
    static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        let value = unsafe bytes.assumingMemoryBound(to: UInt8.self)
        return unsafe String(validating: value, as: UTF8.self) ?? latin1(value)
    }

    static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe isASCII(bytes) || String(validating: bytes.assumingMemoryBound(to: UInt8.self), as: UTF8.self) != nil
    }

    static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        var index = 0
        var union: UInt64 = 0
        while index &+ 32 <= bytes.count {
            unsafe union |= base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            unsafe union |= base.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self)
            unsafe union |= base.loadUnaligned(fromByteOffset: index &+ 16, as: UInt64.self)
            unsafe union |= base.loadUnaligned(fromByteOffset: index &+ 24, as: UInt64.self)
            index &+= 32
        }
        while index < bytes.count {
            unsafe union |= UInt64(bytes[index])
            index &+= 1
        }
        return union & 0x8080_8080_8080_8080 == 0
    }

    /// Returns the value with blanks in place of control bytes except HTAB (RFC 9110 5.5).
    static func blanked(_ value: UnsafeRawBufferPointer) -> [UInt8] {
        unsafe value.map { ByteClass.isControl($0) && $0 != ByteClass.horizontalTab ? ByteClass.space : $0 }
    }

    /// Decodes ISO-8859-1: each byte is the code point with the same number.
    private static func latin1(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        unsafe String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
