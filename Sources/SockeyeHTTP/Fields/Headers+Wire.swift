// What those need who send the fields.
extension Headers {
    /// The bytes of all lines.
    package var byteCount: Int { storage.byteCount }

    /// The lines as they go on the wire (RFC 9112 5), each with its CRLF; nil where one of the fields cannot be sent.
    var lines: [UInt8]? {
        guard storage.marks.isDisjoint(with: .invalid) else { return nil }
        return unsafe storage.withLines { unsafe Array($0) }
    }

    /// What is wrong with the first field that cannot be sent, if there is one.
    var firstFault: RequestFault? {
        for index in indices {
            if let fault = fault(of: storage[index]) { return fault }
        }
        return nil
    }

    /// What is wrong with a field.
    func fault(of entry: FieldEntry) -> RequestFault? {
        guard !entry.marks.isDisjoint(with: .invalid) else { return nil }
        let name = FieldName(storage.text(entry.name))
        return entry.marks.contains(.invalidName) ? .invalidFieldName(name) : .invalidFieldValue(name)
    }

    /// The fields whose names are to be kept.
    func filtered(_ keeps: (FieldName) -> Bool) -> Headers {
        var kept = Headers()
        for index in indices {
            let entry = storage[index]
            if keeps(FieldName(storage.text(entry.name))) { kept.storage.append(entry, of: storage) }
        }
        return kept
    }
}
