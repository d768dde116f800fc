import SockeyeCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Finds where the content of a part ends: CRLF, two hyphens and the boundary.
///
/// CR is the delimiter's first byte and no other of it, so that each CR of the content is looked at once and the search
/// takes linear time whatever stands there.
struct DelimiterSearch: Sendable {
    struct Match {
        /// Before this place there is no delimiter. From here on stands one, or what may become one, or nothing.
        let place: Int
        /// Whether all of a delimiter stands there.
        let isDelimiter: Bool
    }

    private let delimiter: Bytes

    init(_ boundary: MultipartBoundary) {
        delimiter = Bytes("\r\n--" + boundary.text)
    }

    var length: Int { delimiter.count }

    func search(_ input: Bytes) -> Match {
        unsafe input.withUnsafeBytes { bytes in
            unsafe delimiter.withUnsafeBytes { delimiter in
                guard let base = bytes.baseAddress, let wanted = delimiter.baseAddress else {
                    return Match(place: 0, isDelimiter: false)
                }
                var start = 0
                while start < bytes.count, let found = unsafe memchr(base + start, 0x0D, bytes.count - start) {
                    let place = unsafe UnsafeRawPointer(found) - base
                    let compared = min(delimiter.count, bytes.count - place)
                    if unsafe memcmp(found, wanted, compared) == 0 {
                        return Match(place: place, isDelimiter: compared == delimiter.count)
                    }
                    start = place + 1
                }
                return Match(place: bytes.count, isDelimiter: false)
            }
        }
    }

    /// Whether the delimiter stands at the very start, its CRLF having come before. Nil where too few bytes are there to
    /// tell.
    func begins(_ input: Bytes) -> Bool? {
        unsafe input.withUnsafeBytes { bytes in
            unsafe delimiter.withUnsafeBytes { delimiter in
                let wanted = unsafe UnsafeRawBufferPointer(rebasing: delimiter[2...])
                guard unsafe bytes.prefix(wanted.count).elementsEqual(wanted.prefix(bytes.count)) else { return false }
                return bytes.count >= wanted.count ? true : nil
            }
        }
    }
}
