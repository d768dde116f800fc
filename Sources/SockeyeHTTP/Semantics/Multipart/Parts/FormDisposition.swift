/// The Content-Disposition of a part of a form (RFC 7578 4.2), written and read as the HTML standard has it.
///
/// CR, LF and the quote are percent-encoded, and everything else stands as it is, in UTF-8. So no name can end its line
/// or its quotes, whatever it holds (RULE 9).
package struct FormDisposition: Sendable, Hashable {
    /// The name of the field; nil where a received part has none.
    package var name: String?
    /// The name of the file; nil where the part is none.
    package var filename: String?

    package init(name: String?, filename: String? = nil) {
        self.name = name
        self.filename = filename
    }

    // MARK: Writing

    /// The value of the field.
    package var value: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes the value of the field.
    package func write(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "form-data".utf8)
        if let name {
            bytes.append(contentsOf: "; name=\"".utf8)
            Self.write(LineEnds.normalized(name), to: &bytes)
            bytes.append(0x22)
        }
        if let filename {
            bytes.append(contentsOf: "; filename=\"".utf8)
            Self.write(filename, to: &bytes)
            bytes.append(0x22)
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        guard text.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0x22 }) else {
            return bytes.append(contentsOf: text.utf8)
        }
        for byte in text.utf8 {
            switch byte {
            case 0x0D: bytes.append(contentsOf: "%0D".utf8)
            case 0x0A: bytes.append(contentsOf: "%0A".utf8)
            case 0x22: bytes.append(contentsOf: "%22".utf8)
            default: bytes.append(byte)
            }
        }
    }

    // MARK: Reading

    /// Reads the value of a field; of several parameters of one name the first counts. Nil for another type than
    /// `form-data`.
    package init?(parsing value: String) {
        var scan = ParameterScan(value)
        guard scan.takeToken().lowercased() == "form-data" else { return nil }
        while let (name, value) = scan.nextParameter() {
            switch name {
            case "name" where self.name == nil: self.name = Self.unescaped(value)
            case "filename" where filename == nil: filename = Self.unescaped(value)
            default: break
            }
        }
    }

    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let meaning = meaning(of: bytes[index...].prefix(3))
            output.append(meaning ?? bytes[index])
            index += meaning == nil ? 1 : 3
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The byte that one of the three escapes stands for; there are no others.
    private static func meaning(of escape: ArraySlice<UInt8>) -> UInt8? {
        switch String(decoding: escape, as: UTF8.self).uppercased() {
        case "%22": 0x22
        case "%0D": 0x0D
        case "%0A": 0x0A
        default: nil
        }
    }
}
