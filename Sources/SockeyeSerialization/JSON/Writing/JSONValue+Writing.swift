public import SockeyeCore

extension JSONValue {
    /// The value as JSON in UTF-8. There is no value that cannot be written.
    public func bytes(options: JSONWritingOptions = []) -> Bytes {
        Bytes(utf8(options: options))
    }

    /// The value as JSON text.
    public func string(options: JSONWritingOptions = []) -> String {
        String(decoding: utf8(options: options), as: UTF8.self)
    }

    func utf8(options: JSONWritingOptions) -> [UInt8] {
        var writer = JSONWriter(options: options)
        writer.write(self)
        return writer.output
    }
}
