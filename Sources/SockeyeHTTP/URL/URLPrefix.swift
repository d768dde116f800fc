/// The beginning of a URL, up to the end of its origin or of its path, for recognising URLs by a comparison of bytes.
/// User information and an IPv6 zone are ignored.
package struct URLPrefix: Sendable {
    /// The extent of the prefix.
    package enum Extent: Sendable {
        /// Scheme, host and port.
        case origin
        /// Scheme, host, port and path.
        case path
    }

    private let text: String
    let extent: Extent

    package init(_ url: HTTPURL, _ extent: Extent) {
        text = String(Substring(url.slice(0, url.end(of: extent))))
        self.extent = extent
    }

    /// The number of bytes.
    package var count: Int { text.utf8.count }

    /// Returns true if the URL, up to the end of the extent, equals this prefix.
    package func matches(_ url: HTTPURL) -> Bool {
        let count = text.utf8.count
        guard Int(url.end(of: extent)) == count else { return false }
        return unsafe ByteScan.withBytes(of: text.utf8) { one in
            unsafe ByteScan.withBytes(of: url.text.utf8) { other in
                guard let one = one.baseAddress, let other = other.baseAddress else { return true }
                return unsafe ByteScan.equals(one, other, count: count)
            }
        }
    }
}

extension HTTPURL {
    fileprivate func end(of extent: URLPrefix.Extent) -> UInt32 {
        switch extent {
        case .origin: bounds.path
        case .path: bounds.query
        }
    }
}
