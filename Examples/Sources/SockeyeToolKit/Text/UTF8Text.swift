/// Text in files, which must be UTF-8: a repaired text would be sent in place of the given one.
package enum UTF8Text {
    /// - Parameter path: The path of the file, or `-` for standard input.
    /// - Throws: ``UsageFault`` for bytes that are not UTF-8.
    package static func decoded(_ bytes: [UInt8], _ path: String) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UsageFault("\(path == "-" ? "standard input" : path) is not UTF-8 text")
        }
        return text
    }
}
