package import HTTPTypes
package import SockeyeCore

/// A response head: its bytes as they came, but for folds of lines, and what the parser found. Fields are taken out on
/// demand.
package struct ResponseHead: Sendable {
    /// With one SP in place of each fold (RFC 9112 5.2).
    package let bytes: Bytes
    package let summary: ResponseHeadSummary

    /// - Parameter bytes: Exactly the head that `summary` was made of.
    /// - Precondition: `bytes.count == summary.byteCount`, which makes every offset of the summary valid.
    package init(bytes: Bytes, summary: ResponseHeadSummary) {
        precondition(bytes.count == summary.byteCount, "bytes of another head")
        self.bytes = summary.hasFolds ? Self.unfolded(bytes, from: summary.fieldsStart) : bytes
        self.summary = summary
    }

    private static func unfolded(_ bytes: Bytes, from start: Int) -> Bytes {
        unsafe bytes.withUnsafeBytes { Bytes(unsafe LineFolding.unfold($0, from: start)) }
    }

    /// 100 to 999.
    package var status: Int { summary.status }

    /// The minor version: 1 for HTTP/1.1.
    package var minorVersion: Int { summary.minorVersion }

    /// Such as `HTTP/1.1`.
    package var version: String { "HTTP/1.\(summary.minorVersion)" }

    /// The reason phrase, often empty; what is no UTF-8 becomes U+FFFD. Means nothing (RFC 9112 4).
    package var reason: String {
        unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0[summary.reason], as: UTF8.self) }
    }

    /// The first value of a field, or nil. Reads the bytes; makes no fields.
    package func firstValue(_ name: FieldName) -> String? {
        let summary = summary
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe ByteScan.withBytes(of: name.text.utf8) { wanted in
                var lines = unsafe FieldLines(bytes, from: summary.fieldsStart)
                return unsafe lines.next(named: wanted).map { unsafe Self.text(bytes, $0, summary) }
            }
        }
    }

    /// Every value of a field, in order.
    package func values(of name: FieldName) -> [String] {
        let summary = summary
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe ByteScan.withBytes(of: name.text.utf8) { wanted in
                var lines = unsafe FieldLines(bytes, from: summary.fieldsStart)
                var values: [String] = []
                while let line = unsafe lines.next(named: wanted) {
                    unsafe values.append(Self.text(bytes, line, summary))
                }
                return values
            }
        }
    }

    /// Every value of a field as the bytes it came in, in order.
    package func rawValues(of name: FieldName) -> [Bytes] {
        unsafe bytes.withUnsafeBytes { whole in
            unsafe ByteScan.withBytes(of: name.text.utf8) { wanted in
                var lines = unsafe FieldLines(whole, from: summary.fieldsStart)
                var values: [Bytes] = []
                while let line = unsafe lines.next(named: wanted) {
                    values.append(bytes.slice(line.valueStart..<line.valueEnd))
                }
                return values
            }
        }
    }

    /// All fields in order, duplicates and bytes beyond ASCII kept. Stops where `HTTPFields` cannot hold more.
    package func makeFields() -> HTTPFields {
        var fields = HTTPFields()
        fields.reserveCapacity(min(summary.fieldCount, Int(UInt16.max) - 1))
        unsafe bytes.withUnsafeBytes { bytes in
            var lines = unsafe FieldLines(bytes, from: summary.fieldsStart)
            while let line = lines.next(), fields.count < Int(UInt16.max) - 1 {
                // A name is a token and so always valid: the parser saw to that.
                let name = unsafe UnsafeRawBufferPointer(rebasing: bytes[line.nameStart..<line.nameEnd])
                guard let name = unsafe HTTPField.Name(String(decoding: name, as: UTF8.self)) else { continue }
                let value = unsafe UnsafeRawBufferPointer(rebasing: bytes[line.valueStart..<line.valueEnd])
                unsafe fields.append(HTTPField(name: name, value: value))
            }
        }
        return fields
    }

    /// The value as text, control bytes as blanks, just as `HTTPField` reads them.
    private static func text(
        _ bytes: UnsafeRawBufferPointer,
        _ line: FieldLine,
        _ summary: ResponseHeadSummary
    ) -> String {
        let value = unsafe UnsafeRawBufferPointer(rebasing: bytes[line.valueStart..<line.valueEnd])
        guard summary.hasControls else { return unsafe String(decoding: value, as: UTF8.self) }
        let blanked = unsafe value.map {
            ByteClass.isControl($0) && $0 != ByteClass.horizontalTab ? ByteClass.space : $0
        }
        return String(decoding: blanked, as: UTF8.self)
    }
}
