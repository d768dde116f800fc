public import SockeyeCore

extension PropertyListValue {
    /// Reads a property list in its XML or binary form.
    ///
    /// Foundation's own decoder traps on some damaged lists, follows a list that contains itself until the stack is
    /// exhausted, and expands shared objects without end; so what peers send is read here first.
    ///
    /// - XML is UTF-8, or UTF-16 with a byte order mark. Nothing is ever fetched; a document type that declares entities is
    ///   refused.
    /// - Containers are nested 200 levels at most (``Parameters/maximumDepth``), dates are finite, and the whole takes no more than 16 times the size of its bytes, or
    ///   1 MiB if that is more.
    ///
    /// - Throws: ``PropertyListError``.
    public init(propertyList bytes: Bytes) throws(PropertyListError) {
        let budget = PropertyListBudget(size: bytes.count)
        if bytes.starts(with: BinaryPropertyListReader.signature) {
            var reader = BinaryPropertyListReader(bytes, budget: budget)
            self = try reader.read()
        } else {
            let text = try XMLPropertyListText(bytes)
            var reader = XMLPropertyListReader(text.utf8.span, budget: budget)
            do throws(PropertyListError) {
                self = try reader.read()
            } catch {
                throw PropertyListError(error.kind, error.message, at: text.originalOffset(of: error.offset))
            }
        }
    }
}
