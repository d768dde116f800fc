package import SockeyeCore
import SockeyePlatform

/// The boundary between the parts of a multipart body (RFC 2046 5.1.1).
package struct MultipartBoundary: Sendable, Hashable {
    /// The boundary without the hyphens before it.
    package let text: String

    private init(unchecked text: String) {
        self.text = text
    }

    /// Creates a boundary for sending: 1 to 70 of the characters that RFC 2046 5.1.1 allows, the last one not a space.
    /// Nil for any other text.
    package init?(_ text: String) {
        guard (1...70).contains(text.utf8.count), text.utf8.last != 0x20, text.utf8.allSatisfy(Self.allowed.contains)
        else {
            return nil
        }
        self.text = text
    }

    /// Creates a boundary of a received body: 1 to 200 ASCII characters that are not controls. This is more lenient
    /// than RFC 2046, because IIS, for example, sends angle brackets. Nil for any other text.
    package init?(received text: String) {
        guard (1...200).contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return nil
        }
        self.text = text
    }

    /// Returns a boundary that ends in 22 characters, each chosen at random from 64: 132 random bits. The boundary
    /// cannot be guessed, so content contains it neither by chance nor on purpose. It has only token characters, and so
    /// needs no quotes as a parameter.
    package static func random() -> MultipartBoundary {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    package static func random(using generator: inout some RandomNumberGenerator) -> MultipartBoundary {
        let characters = (0..<22).map { _ in alphabet[Int(generator.next() >> 58)] }
        return MultipartBoundary(unchecked: "sockeye-" + String(decoding: characters, as: UTF8.self))
    }

    /// Returns true if at least some recipients would find a delimiter in this content, and so would end its part
    /// early. A line that only begins with a delimiter counts, too, because some recipients take such a line for a
    /// delimiter (RFC 2046 5.1.1). So does a delimiter after a bare LF, which PHP accepts.
    package func mayEnd(_ content: Bytes) -> Bool {
        DelimiterSearch(self).begins(content, isLast: true, takesPrefixes: true) == true
            || DelimiterSearch(self, after: "\n").search(content, isLast: true, takesPrefixes: true).isDelimiter
    }

    /// Returns true if a form with this boundary cannot contain a form with the boundary `inner`, because the
    /// delimiters of the inner form begin with those of this form.
    package func conflicts(with inner: MultipartBoundary) -> Bool {
        inner.text.utf8.starts(with: text.utf8)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// `bchars` of RFC 2046 5.1.1.
    private static let allowed = ASCIISet.letters.union(.digits).union(ASCIISet("'()+_,-./:=? "))

    /// The value of the Content-Type parameter, quoted if it is not a token (RFC 9110 5.6.2).
    package var parameterValue: String { FieldText.parameterValue(text) }
}

/// The search for the delimiter that ends a part: CRLF, two hyphens and the boundary, followed by a blank, the end of
/// the line or two more hyphens. A line that begins with two hyphens and the boundary but continues in any other way is
/// content.
///
/// CR is the first byte of a delimiter and occurs nowhere else in it. A comparison that begins at one CR therefore ends
/// at the next CR at the latest, and the search takes linear time. The same applies to a search for delimiters after
/// LF.
package struct DelimiterSearch: Sendable {
    package struct Match {
        /// The offset of the delimiter, or of bytes at the end of the input that may be the start of a delimiter. If
        /// there is neither, the length of the input. No delimiter begins before this offset.
        package let place: Int
        /// True if a complete delimiter begins at the place.
        package let isDelimiter: Bool
    }

    private let delimiter: Bytes

    package init(_ boundary: MultipartBoundary, after lineEnd: String = "\r\n") {
        delimiter = Bytes(lineEnd + "--" + boundary.text)
    }

    /// The number of bytes of a delimiter, with its CRLF.
    package var length: Int { delimiter.count }

    /// Searches for the first delimiter.
    ///
    /// - Parameters:
    ///   - isLast: True if no more bytes follow. A boundary at the end then counts as a delimiter, although its line is
    ///     incomplete.
    ///   - takesPrefixes: True if a line that continues after the boundary counts as a delimiter, too.
    package func search(_ input: Bytes, isLast: Bool, takesPrefixes: Bool = false) -> Match {
        unsafe input.withUnsafeBytes { bytes in
            unsafe delimiter.withUnsafeBytes { delimiter in
                guard let base = bytes.baseAddress, let wanted = delimiter.baseAddress else {
                    return Match(place: 0, isDelimiter: false)
                }
                var start = 0
                while start < bytes.count,
                    let place = unsafe SystemMemory.offset(of: delimiter[0], in: base, from: start, to: bytes.count)
                {
                    let compared = min(delimiter.count, bytes.count - place)
                    if unsafe SystemMemory.isEqual(base + place, wanted, count: compared) {
                        guard compared == delimiter.count else { return Match(place: place, isDelimiter: false) }
                        let isWhole = unsafe takesPrefixes ? true : Self.isWhole(bytes, place + compared, isLast)
                        if isWhole != false { return Match(place: place, isDelimiter: isWhole == true) }
                    }
                    start = place + 1
                }
                return Match(place: bytes.count, isDelimiter: false)
            }
        }
    }

    /// Returns true if the input begins with a delimiter without its CRLF: the CRLF has already been read, or the body
    /// begins here. Nil if there are too few bytes to decide.
    package func begins(_ input: Bytes, isLast: Bool, takesPrefixes: Bool = false) -> Bool? {
        unsafe input.withUnsafeBytes { bytes in
            unsafe delimiter.withUnsafeBytes { delimiter in
                let wanted = unsafe UnsafeRawBufferPointer(rebasing: delimiter[2...])
                guard unsafe bytes.prefix(wanted.count).elementsEqual(wanted.prefix(bytes.count)) else { return false }
                guard bytes.count >= wanted.count else { return nil }
                return unsafe takesPrefixes ? true : Self.isWhole(bytes, wanted.count, isLast)
            }
        }
    }

    /// Returns true if the delimiter that ends at `end` is followed by a blank, the end of the line or two hyphens. If
    /// `isLast`, the input may also end directly after the delimiter, or after a CR or one hyphen that follows it. Nil
    /// if there are too few bytes to decide. A CR ends the line only together with a LF (RFC 2046 5.1.1).
    private static func isWhole(_ bytes: UnsafeRawBufferPointer, _ end: Int, _ isLast: Bool) -> Bool? {
        guard end < bytes.count else { return isLast ? true : nil }
        switch unsafe bytes[end] {
        case 0x20, 0x09, 0x0A: return true
        case 0x0D: return end + 1 < bytes.count ? unsafe bytes[end + 1] == 0x0A : isLast ? true : nil
        case 0x2D: return end + 1 < bytes.count ? unsafe bytes[end + 1] == 0x2D : isLast ? true : nil
        default: return false
        }
    }
}
