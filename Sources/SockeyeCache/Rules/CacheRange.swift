import HTTPTypes
import SockeyeHTTP

/// The part of a stored representation that a Range field selects (RFC 9110 14).
package enum CacheRange: Sendable, Hashable {
    /// The whole representation: there is no Range, or If-Range does not name the stored version.
    case whole
    /// These bytes of the representation.
    case part(Range<Int>)
    /// Only the origin server can answer. Examples are several ranges, units other than bytes, unsatisfiable ranges,
    /// and stored content with a content coding.
    case unknown

    package init(of cacheRequest: CacheRequest, in stored: StoredResponse) {
        guard cacheRequest.headers.contains(.range) else {
            self = .whole
            return
        }
        let response = stored.response
        let values = cacheRequest.headers[values: .range]
        guard let value = values.first, cacheRequest.method == .get, values.count == 1, response.status == 200,
            !stored.isCoded,
            let range = Self.range(value, in: response.bodyLength)
        else {
            self = .unknown
            return
        }
        self = Self.isCurrent(cacheRequest.headers[values: .ifRange], response) ? .part(range) : .whole
    }

    /// Parses a single range of bytes; nil if it is invalid or not satisfiable.
    private static func range(_ value: String, in length: Int) -> Range<Int>? {
        var scan = FieldScanner(value.utf8Span.span)
        scan.trim()
        let dash = UInt8(ascii: "-")
        guard scan.skip(letters: "bytes"), scan.skip(UInt8(ascii: "=")) else { return nil }
        scan.skipBlanks()
        let (isSuffix, first) = (scan.peek == dash, scan.number())
        // `first` is nil for a suffix range such as `bytes=-500`, but also for a number that is missing or too large.
        // Only a suffix range begins with the dash.
        guard first != nil || isSuffix, scan.skip(dash) else { return nil }
        let last = scan.number()
        guard scan.isAtEnd else { return nil }
        switch (first, last) {
        case (nil, nil): return nil
        case (nil, let suffix?): return suffix > 0 && length > 0 ? max(0, length - suffix)..<length : nil
        case (let first?, nil): return first < length ? first..<length : nil
        case (let first?, let last?): return first <= last && first < length ? first..<min(last, length - 1) + 1 : nil
        }
    }

    /// Returns true if If-Range names this version (RFC 9110 13.1.5), or if there is no If-Range.
    private static func isCurrent(_ values: [String], _ response: CachedResponse) -> Bool {
        guard let value = values.first else { return true }
        guard values.count == 1, let asked = StrongValidator(fieldValue: value) else { return false }
        func validator(eTags: [String]) -> StrongValidator? {
            StrongValidator(
                eTags: eTags, lastModified: response.headers[values: .lastModified],
                date: response.headers[values: .date].first)
        }
        let own = validator(eTags: response.headers[values: .eTag])
        switch asked {
        case .entityTag: return own == asked
        // A strong date suffices, even if the stored response has an entity tag.
        case .lastModified: return own != nil && validator(eTags: []) == asked
        }
    }
}
