/// The syntax of field names and values (RFC 9110 5.1 and 5.5).
enum FieldSyntax {
    /// Returns true if the bytes are a token.
    @inline(__always)
    static func isName(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress, unsafe !bytes.isEmpty else { return false }
        // The fast check examines only whole words of 8 bytes, and accepts only letters, digits and hyphens.
        let isUsual = unsafe ByteScan.firstUnusualInNames(base, from: 0, to: bytes.count) == nil
        var index = isUsual ? bytes.count & ~7 : 0
        while index < bytes.count, unsafe ByteClass.isToken(base.byte(index)) { index &+= 1 }
        return index == bytes.count
    }

    /// Returns true if the bytes have no control bytes except HTAB.
    @inline(__always)
    static func isValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        var control = unsafe ByteScan.firstControl(base, from: 0, to: bytes.count)
        while control < bytes.count, unsafe base.byte(control) == ByteClass.horizontalTab {
            control = unsafe ByteScan.firstControl(base, from: control &+ 1, to: bytes.count)
        }
        return control == bytes.count
    }
}

extension Headers {
    /// Returns true if a text has only printable ASCII, spaces and tabs, so that every recipient accepts it as a field
    /// value.
    package static func isPrintableASCII(_ text: String) -> Bool {
        unsafe ByteScan.withBytes(of: text.utf8) { bytes in
            unsafe ByteScan.isPrintableASCII(bytes)
                || FieldSyntax.isValue(bytes) && ReceivedFieldValue.isASCII(bytes)
        }
    }
}
