/// A content coding this library can apply and undo (RFC 9110 8.4.1).
package enum ContentCoding: String, Sendable, Hashable, CaseIterable {
    /// No coding. Never in a list that ``parse(_:)`` returns.
    case identity
    /// RFC 1952; `x-gzip` names the same coding.
    case gzip
    /// The zlib form (RFC 1950). Decoding takes raw deflate data (RFC 1951) as well, which some servers send instead.
    case deflate

    /// The most codings one body may have. Each costs a window of 32 KiB, and no honest server stacks more than two.
    package static let maximumStacked = 5

    /// The codings named by the values of all Content-Encoding fields, in the order in which they were applied.
    ///
    /// Case and blanks do not matter; `identity` and empty list elements are left out, so an empty result means that
    /// the body is not coded.
    ///
    /// - Throws: ``CodecError/tooManyCodings(limit:)``; ``CodecError/unsupported(coding:)`` for the first name that is
    ///   not known here: the body then has to be passed on as it came, with the field in place.
    package static func parse(_ fieldValues: [String]) throws(CodecError) -> [ContentCoding] {
        // What nearly every response says that is coded at all.
        if fieldValues.count == 1 {
            if fieldValues[0] == gzip.rawValue { return [.gzip] }
            if fieldValues[0] == deflate.rawValue { return [.deflate] }
        }
        var codings: [ContentCoding] = []
        var unknown: String?
        var count = 0
        for value in fieldValues {
            var scan = FieldScanner(value.utf8Span.span)
            while let member = scan.member() {
                let name = scan.lowercased(member)
                guard name != identity.rawValue else { continue }
                count += 1
                guard count <= maximumStacked else { throw .tooManyCodings(limit: maximumStacked) }
                if let coding = ContentCoding(name: name) {
                    codings.append(coding)
                } else if unknown == nil {
                    unknown = name
                }
            }
        }
        if let unknown { throw .unsupported(coding: unknown) }
        return codings
    }

    private init?(name: String) {
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }
}
