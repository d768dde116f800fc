/// Conversions of the C parser's callback arguments to values. Part of what is unsafe, see `XMLContext`.
enum XMLReading {
    typealias Text = UnsafePointer<UInt8>

    static func context(_ handler: UnsafeMutableRawPointer?) -> XMLContext {
        // The pointer is the one that `init` gave, so it is never nil.
        unsafe Unmanaged<XMLContext>.fromOpaque(handler!).takeUnretainedValue()
    }

    static func string(_ text: Text?) -> String? {
        unsafe text.map { unsafe String(cString: $0) }
    }

    static func string(_ text: Text?, _ count: Int) -> String {
        unsafe String(decoding: UnsafeBufferPointer(start: text, count: text == nil ? 0 : max(count, 0)), as: UTF8.self)
    }

    /// Without its namespace, whose URI is not copied for each name that is in it.
    static func name(_ local: Text?, _ prefix: Text?) -> XMLEvent.Name {
        unsafe XMLEvent.Name(string(local) ?? "", prefix: string(prefix))
    }

    /// Pairs of prefix and URI.
    static func namespaces(_ values: UnsafeMutablePointer<Text?>?, _ count: Int) -> [XMLEvent.Namespace] {
        guard let values = unsafe values, count > 0 else { return [] }
        return (0..<count).map {
            unsafe XMLEvent.Namespace(prefix: string(values[2 * $0]), uri: string(values[2 * $0 + 1]) ?? "")
        }
    }

    /// Five pointers each: local name, prefix, URI, start and end of the value.
    static func attributes(_ values: UnsafeMutablePointer<Text?>?, _ count: Int) -> [XMLEvent.Attribute] {
        guard let values = unsafe values, count > 0 else { return [] }
        return (0..<count).map { index in
            let fields = unsafe values + 5 * index
            let length = if let start = unsafe fields[3], let end = unsafe fields[4] { unsafe end - start } else { 0 }
            return unsafe XMLEvent.Attribute(name(fields[0], fields[1]), string(fields[3], length))
        }
    }

    /// At most 200 characters of a message, in one line.
    static func message(_ text: UnsafePointer<CChar>?) -> String {
        guard let text = unsafe text else { return "the document is not well-formed" }
        return unsafe String(String(cString: text).prefix(200).map { $0.isNewline ? " " : $0 }).trimmedEnd
    }
}

extension String {
    fileprivate var trimmedEnd: String {
        var copy = self
        while copy.last == " " { copy.removeLast() }
        return copy
    }
}
