package import SockeyeCore
import SockeyePlatform

/// The boundary between the parts of a multipart body (RFC 2046 5.1.1).
package struct MultipartBoundary: Sendable, Hashable {
    /// The boundary without the hyphens before it.
    package let text: String

    private init(unchecked text: String) {
        self.text = text
    }

    /// A boundary to write with: 1 to 70 of the characters that RFC 2046 5.1.1 allows, the last one no space. Nil for
    /// any other text.
    package init?(_ text: String) {
        guard (1...70).contains(text.utf8.count), text.utf8.last != 0x20, text.utf8.allSatisfy(Self.allowed.contains)
        else {
            return nil
        }
        self.text = text
    }

    /// A boundary that a peer writes with. Any 1 to 200 characters of ASCII that are no controls: IIS is known for
    /// angle brackets.
    package init?(received text: String) {
        guard (1...200).contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return nil
        }
        self.text = text
    }

    /// 22 random characters of 64 kinds: 132 bits, so that no content holds it, by chance or by intent. All of
    /// them are characters of tokens, so that it needs no quotes.
    package static func random() -> MultipartBoundary {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    package static func random(using generator: inout some RandomNumberGenerator) -> MultipartBoundary {
        let characters = (0..<22).map { _ in alphabet[Int(generator.next() >> 58)] }
        return MultipartBoundary(unchecked: "sockeye-" + String(decoding: characters, as: UTF8.self))
    }

    /// Whether a delimiter stands in the content of a part, for any reader: some take a line that only begins with one for it
    /// (RFC 2046 5.1.1).
    package func separates(_ content: Bytes) -> Bool {
        let search = DelimiterSearch(self)
        return search.begins(content, isLast: true, takesPrefixes: true) == true
            || search.search(content, isLast: true, takesPrefixes: true).isDelimiter
    }

    /// Whether the parts of a form with the boundary `inner` would be cut where that form is a part of one with this.
    package func separates(formWith inner: MultipartBoundary) -> Bool {
        inner.text.utf8.starts(with: text.utf8)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// `bchars` of RFC 2046 5.1.1.
    private static let allowed = ASCIISet.letters.union(.digits).union(ASCIISet("'()+_,-./:=? "))

    /// The value of the parameter of Content-Type: in quotes where it is no token (RFC 9110 5.6.2).
    package var parameterValue: String { FieldText.parameterValue(text) }
}

/// The search for the delimiter that ends a part: CRLF, two hyphens and the boundary, up to the end of the line or two further
/// hyphens. A line that begins with a delimiter and continues otherwise is content, such as the delimiter of nested parts whose
/// boundary begins with this one.
///
/// CR is the first byte of a delimiter and occurs nowhere else in it. So each CR of the content is examined once, and the search
/// takes linear time.
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

    /// - Parameters:
    ///   - isLast: Whether no more bytes follow, so that a boundary at the end is a delimiter that was cut.
    ///   - takesPrefixes: Whether a line that continues behind the boundary counts as a delimiter, too.
    func search(_ input: Bytes, isLast: Bool, takesPrefixes: Bool = false) -> Match {
        unsafe input.withUnsafeBytes { bytes in
            unsafe delimiter.withUnsafeBytes { delimiter in
                guard let base = bytes.baseAddress, let wanted = delimiter.baseAddress else {
                    return Match(place: 0, isDelimiter: false)
                }
                var start = 0
                while start < bytes.count,
                    let place = unsafe SystemMemory.offset(of: 0x0D, in: base, from: start, to: bytes.count)
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

    /// Whether the delimiter stands at the very start, its CRLF having come before. Nil where too few bytes are there
    /// to tell.
    func begins(_ input: Bytes, isLast: Bool, takesPrefixes: Bool = false) -> Bool? {
        unsafe input.withUnsafeBytes { bytes in
            unsafe delimiter.withUnsafeBytes { delimiter in
                let wanted = unsafe UnsafeRawBufferPointer(rebasing: delimiter[2...])
                guard unsafe bytes.prefix(wanted.count).elementsEqual(wanted.prefix(bytes.count)) else { return false }
                guard bytes.count >= wanted.count else { return nil }
                return unsafe takesPrefixes ? true : Self.isWhole(bytes, wanted.count, isLast)
            }
        }
    }

    /// Whether a delimiter that ends at `end` is followed by blanks, the end of the line or two hyphens; nil if too few bytes
    /// are here to tell.
    private static func isWhole(_ bytes: UnsafeRawBufferPointer, _ end: Int, _ isLast: Bool) -> Bool? {
        guard end < bytes.count else { return isLast ? true : nil }
        switch unsafe bytes[end] {
        case 0x20, 0x09, 0x0D, 0x0A: return true
        case 0x2D: return end + 1 < bytes.count ? unsafe bytes[end + 1] == 0x2D : isLast ? true : nil
        default: return false
        }
    }
}
