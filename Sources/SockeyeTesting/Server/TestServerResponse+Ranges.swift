public import Sockeye

extension TestServerResponse {
    /// A resource that supports range requests, for tests of resumed downloads (RFC 9110 section 14).
    ///
    /// A GET with one range (`Range: bytes=…`) is answered with 206 and that part, or with 416 if the range lies
    /// outside the resource. The Range field is ignored if the request has an If-Range field that does not equal
    /// `eTag`. All other requests get 200 and the complete resource.
    ///
    /// - Parameters:
    ///   - bytes: The complete resource.
    ///   - request: The request with the Range and If-Range fields.
    ///   - eTag: The entity tag with its quotes, such as `"v1"` or `W/"v1"`. A weak tag never matches If-Range.
    ///   - contentType: The value of Content-Type.
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

    /// The range that a Range field requests.
    private enum Wanted {
        case part(Range<Int>)
        case outside

        /// Parses a field. Nil if this server ignores the field: another unit, several ranges, or a syntax error.
        init?(of field: String, in count: Int) {
            guard field.hasPrefix("bytes=") else { return nil }
            let ends = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }) else {
                return nil
            }
            // A position that overflows Int lies beyond the end of every resource.
            let positions: [Int?] = ends.map { $0.isEmpty ? nil : Int($0) ?? .max }
            switch (positions[0], positions[1]) {
            case (nil, let suffix?): self = suffix > 0 && count > 0 ? .part(max(0, count - suffix)..<count) : .outside
            case (let first?, let last):
                guard last ?? .max >= first else { return nil }
                self = first < count ? .part(first..<(min(last ?? count - 1, count - 1) + 1)) : .outside
            case (nil, nil): return nil
            }
        }
    }
}
