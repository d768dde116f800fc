public import Sockeye

extension TestServerResponse {
    /// A resource that can be fetched in parts, for testing downloads that are resumed (RFC 9110 section 14).
    ///
    /// Answers `Range: bytes=…` with one range by 206 and the part, by 416 when it lies outside, and ignores it when
    /// `If-Range` does not name this version; everything else gets 200 and the whole. No multipart ranges.
    ///
    /// - Parameters:
    ///   - bytes: The whole resource.
    ///   - request: Whose fields decide.
    ///   - eTag: The version with its quotes, such as `"v1"` or `W/"v1"`. Weak ones never match.
    ///   - contentType: What Content-Type says.
    public static func resource(
        _ bytes: Bytes, for request: TestRequest, eTag: String? = nil, contentType: String = "application/octet-stream"
    ) -> TestServerResponse {
        var headers: Headers = [.acceptRanges: "bytes"]
        if let eTag { headers[.eTag] = eTag }
        let isSame = request[.ifRange] == nil || (request[.ifRange] == eTag && eTag?.hasPrefix("W/") == false)
        guard request.method == .get, isSame, let range = request[.range].flatMap({ Wanted(of: $0, in: bytes.count) })
        else {
            return .bytes(bytes, contentType: contentType, headers: headers)
        }
        switch range {
        case .outside:
            headers[.contentRange] = "bytes */\(bytes.count)"
            return .status(416, headers: headers)
        case .part(let part):
            headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(bytes.count)"
            return .bytes(bytes.slice(part), contentType: contentType, status: 206, headers: headers)
        }
    }

    /// What a Range field asks of a resource.
    private enum Wanted {
        case part(Range<Int>)
        case outside

        /// Nil for what a server is to ignore: other units, several ranges, nonsense.
        init?(of field: String, in count: Int) {
            guard field.hasPrefix("bytes=") else { return nil }
            let ends = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count == 2, ends.allSatisfy({ $0.allSatisfy(\.isNumber) }) else { return nil }
            switch (Int(ends[0]), Int(ends[1])) {
            case (nil, let suffix?): self = suffix > 0 && count > 0 ? .part(max(0, count - suffix)..<count) : .outside
            case (let first?, let last):
                guard last ?? .max >= first else { return nil }
                self = first < count ? .part(first..<(min(last ?? count - 1, count - 1) + 1)) : .outside
            case (nil, nil): return nil
            }
        }
    }
}
