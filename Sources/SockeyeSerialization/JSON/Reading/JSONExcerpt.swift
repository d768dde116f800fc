public import SockeyeCore

extension JSONError {
    /// A place in a JSON text by line and column, with the text around it: short enough for an error message or a log
    /// line.
    ///
    /// The text need not be valid or complete.
    public struct Excerpt: Sendable, Hashable, CustomStringConvertible {
        /// The place as an offset in bytes, counted from 0. The JSON reader converts a text in UTF-16 or UTF-32 to
        /// UTF-8 and counts the bytes of the result. If it refuses the text because of
        /// ``JSONValue/ReadingOptions/maximumSize``, it counts the original bytes.
        public let offset: Int
        /// The line, counted from 1; lines end with CR, LF or CRLF.
        public let line: Int
        /// The column in the line, counted from 1 in Unicode scalars.
        public let column: Int
        /// The text before the place, at most ``reach`` bytes; U+FFFD replaces invalid UTF-8.
        public let before: String
        /// The text from the place on, at most ``reach`` bytes; U+FFFD replaces invalid UTF-8.
        public let after: String
        private let isCutBefore: Bool
        private let isCutAfter: Bool

        /// The maximum number of bytes of text on either side of the place: 80.
        public static let reach = 80

        /// Creates the excerpt at `offset` of `body`. An offset outside of `body` counts as the nearest end.
        public init(_ body: Bytes, at offset: Int) {
            self = unsafe body.withUnsafeBytes {
                unsafe JSONError.Excerpt($0.bindMemory(to: UInt8.self).span, at: offset)
            }
        }

        init(_ bytes: Span<UInt8>, at offset: Int) {
            let place = min(max(offset, 0), bytes.count)
            var start = max(place - Self.reach, 0)
            while start < place, start > 0, UTF8.isContinuation(bytes[start]) { start += 1 }
            var end = min(place + Self.reach, bytes.count)
            while end > place, end < bytes.count, UTF8.isContinuation(bytes[end]) { end -= 1 }
            self.offset = place
            (line, column) = Self.lineAndColumn(bytes, at: place)
            before = Self.text(bytes.extracting(start..<place))
            after = Self.text(bytes.extracting(place..<end))
            isCutBefore = start > 0
            isCutAfter = end < bytes.count
        }

        private static func text(_ bytes: Span<UInt8>) -> String {
            unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        }

        private static func lineAndColumn(_ bytes: Span<UInt8>, at place: Int) -> (line: Int, column: Int) {
            var line = 1
            var column = 1
            var previous: UInt8 = 0
            for index in 0..<place {
                let byte = bytes[index]
                if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") {
                    if byte == UInt8(ascii: "\r") || previous != UInt8(ascii: "\r") { line += 1 }
                    column = 1
                } else if !UTF8.isContinuation(byte) {
                    column += 1
                }
                previous = byte
            }
            return (line, column)
        }

        /// The line, the column and the text with an arrow at the place, in one line. Control characters of ASCII are
        /// shown as their pictures, such as `␊`. U+FFFD replaces other control characters, line separators and
        /// invisible format characters.
        public var description: String {
            let text =
                (isCutBefore ? "…" : "") + before.visible + "→" + after.visible + (isCutAfter ? "…" : "")
            return "line \(line), column \(column): \(text)"
        }
    }
}
