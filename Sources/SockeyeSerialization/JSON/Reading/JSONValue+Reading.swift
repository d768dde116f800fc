extension JSONValue {
    /// Reads a JSON text, which is bytes in UTF-8, or in UTF-16 or UTF-32 if they start as `JSONSerialization` expects.
    ///
    /// An empty text is an error here; that an empty body is no error is for the response serializer to say.
    ///
    /// - Throws: ``JSONError`` with the place and what stands there.
    public init(
        parsing bytes: some Sequence<UInt8>, options: JSONReadingOptions = JSONReadingOptions()
    ) throws(JSONError) {
        let reader = JSONReader(options: options)
        // The closure is one of the standard library's that forgets what it throws.
        let result = bytes.withContiguousStorageIfAvailable { bytes in
            Result { () throws(JSONError) in try unsafe reader.value(bytes.span) }
        }
        guard let result else {
            self = try reader.value(Array(bytes).span)
            return
        }
        self = try result.get()
    }

    /// Reads a JSON text.
    ///
    /// - Throws: ``JSONError`` with the place and what stands there.
    public init(
        parsing text: some StringProtocol, options: JSONReadingOptions = JSONReadingOptions()
    ) throws(JSONError) {
        try self.init(parsing: text.utf8, options: options)
    }
}
