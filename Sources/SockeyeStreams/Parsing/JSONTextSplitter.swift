package import SockeyeCore
import SockeyeHTTP
import SockeyePlatform

/// An incremental splitter of a stream of JSON texts: one text per line (NDJSON, JSON Lines), or JSON text sequences
/// (RFC 7464).
///
/// The first byte decides between the two: a record separator (0x1E) cannot begin a JSON text. Blank lines and empty
/// elements of sequences are skipped.
///
/// In a sequence a text ends where the next begins, but the sender may pause for hours in between. A text is therefore
/// returned as soon as the line feed after its last bracket, quote, digit or letter arrives.
package struct JSONTextSplitter: Sendable {
    private enum Form { case undecided, lines, sequence }

    private let limit: Int
    private let window: Int
    private var form = Form.undecided
    private var lines: LineSplitter
    private var chunk = Bytes()
    private var position = 0
    /// For a sequence: the position in the chunk at which ``next()`` pauses.
    private var stop = 0
    /// The number of lines, or of bytes of a sequence, that ``takeCost()`` has already counted.
    private var counted = 0
    private var sequence = JSONSequenceElement()
    /// The number of the last text, counted from 1.
    package private(set) var number = 0

    private static let recordSeparator: UInt8 = 0x1E

    /// - Parameters:
    ///   - limit: The maximum number of bytes of a text.
    ///   - window: The number of bytes after which ``next()`` pauses.
    package init(limit: Int, window: Int = .max) {
        self.limit = limit
        self.window = window
        lines = LineSplitter(limit: limit, window: window)
    }

    /// Adds a chunk. May be called only after ``next()`` has returned nil and ``resume()`` has returned false.
    package mutating func append(_ bytes: Bytes) {
        if form == .undecided, let first = bytes.first {
            form = first == Self.recordSeparator ? .sequence : .lines
        }
        guard form == .sequence else { return lines.append(bytes) }
        chunk = bytes
        (position, stop, counted) = (0, min(window, bytes.count), 0)
    }

    /// Continues with the next window of the chunk, once ``next()`` has returned nil.
    ///
    /// - Returns: False if the chunk is used up, so that ``append(_:)`` or ``finish()`` must follow.
    package mutating func resume() -> Bool {
        guard form == .sequence else { return lines.resume() }
        guard position < chunk.count else { return false }
        stop = position + min(window, chunk.count - position)
        return true
    }

    /// Returns the number of bytes to deduct from the caller's `TurnBudget` for the input consumed since the last call.
    /// Splitting takes more time than copying, so each line counts as 64 bytes, and each byte of a sequence as 8. Blank
    /// lines count, too, because they take time.
    ///
    /// Call this method after ``next()`` has returned nil.
    package mutating func takeCost() -> Int {
        let total = form == .sequence ? position : lines.number
        defer { counted = total }
        return (total - counted) * (form == .sequence ? 8 : 64)
    }

    /// Returns the next text; nil if the text is incomplete, or at the end of a window (see ``resume()``).
    package mutating func next() throws(StreamFault) -> Bytes? {
        guard form == .sequence else { return try nextLine() }
        while position < stop {
            let byte = chunk[position]
            position += 1
            if byte == Self.recordSeparator {
                let text = try sequence.finish()
                sequence = JSONSequenceElement(isBegun: true)
                if let text { return numbered(text) }
            } else if let text = try sequence.append(byte, limit: limit) {
                return numbered(text)
            }
        }
        return nil
    }

    /// Returns the text that the end of the stream completes; nil if there is no such text.
    package mutating func finish() throws(StreamFault) -> Bytes? {
        if form == .sequence { return try sequence.finish().map { numbered($0) } }
        guard lines.finish(), !Self.isBlank(lines.bytes) else { return nil }
        return numbered(lines.bytes)
    }

    private mutating func nextLine() throws(StreamFault) -> Bytes? {
        do throws(StreamFault) {
            while try lines.next() {
                let line = lines.bytes
                if !Self.isBlank(line) { return numbered(line) }
            }
        } catch {
            throw .textTooLong(limit: limit)
        }
        return nil
    }

    private mutating func numbered(_ text: Bytes) -> Bytes {
        number += 1
        return text
    }

    private static func isBlank(_ line: Bytes) -> Bool {
        line.allSatisfy { ByteClass.isBlank($0) || $0 == ByteClass.carriageReturn }
    }
}

/// An element of a JSON text sequence during its receipt (RFC 7464 2).
struct JSONSequenceElement: Sendable {
    private enum Stage {
        /// Before a record separator; only blanks and line ends are allowed.
        case outside
        /// In the blanks before the text.
        case before
        /// In a text without brackets or quotes: a number, true, false or null.
        case scalar
        /// Between brackets, or in a string.
        case nested
        /// After a text, before its line feed.
        case complete
    }

    private var stage: Stage
    private var text: [UInt8] = []
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    init(isBegun: Bool = false) {
        stage = isBegun ? .before : .outside
    }

    /// Adds a byte.
    ///
    /// - Returns: The text, once the line feed after it has arrived.
    mutating func append(_ byte: UInt8, limit: Int) throws(StreamFault) -> Bytes? {
        let isSpace = ByteClass.isBlank(byte) || byte == ByteClass.lineFeed || byte == ByteClass.carriageReturn
        switch stage {
        case .outside, .complete:
            guard isSpace else { throw .bytesBetweenTexts }
            return byte == ByteClass.lineFeed && stage == .complete ? taken() : nil
        case .before:
            if isSpace { return nil }
            begin(with: byte)
        case .scalar:
            if isSpace {
                stage = .complete
                return byte == ByteClass.lineFeed ? taken() : nil
            }
        case .nested: follow(byte)
        }
        guard text.count < limit else { throw .textTooLong(limit: limit) }
        text.append(byte)
        return nil
    }

    /// Ends the element when the next one begins or the stream ends. Returns the element's text; nil if the text was
    /// already returned, or if there is no text.
    mutating func finish() throws(StreamFault) -> Bytes? {
        switch stage {
        case .outside, .before: return nil
        case .scalar: throw .truncatedText
        // The JSON decoder refuses texts with unclosed brackets.
        case .nested, .complete: return taken()
        }
    }

    private mutating func taken() -> Bytes {
        defer {
            text = []
            stage = .outside
        }
        return Bytes(text)
    }

    private mutating func begin(with byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth = 1
            stage = .nested
        case UInt8(ascii: "\""):
            isInString = true
            stage = .nested
        default: stage = .scalar
        }
    }

    /// Counts brackets without validating the JSON: the bracket that closes the first one ends the text.
    private mutating func follow(_ byte: UInt8) {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
                if depth == 0 { stage = .complete }
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if depth == 0 { stage = .complete }
        default: break
        }
    }
}
