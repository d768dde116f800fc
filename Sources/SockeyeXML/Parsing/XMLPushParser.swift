#if XML
import SockeyeCore
import SockeyeHTTP

/// A push parser: its caller feeds bytes and takes events.
///
/// After a failure all further bytes are ignored. The events before the failure can still be taken.
final class XMLPushParser {
    private let charset: String?
    private let limits: XMLLimits
    /// The first bytes, until there are enough to detect a byte order mark.
    private var start = BytesAccumulator(expected: nil)
    private var context: XMLContext?
    /// The number of bytes fed since the C parser (libxml2) last reported text or an event.
    private var bytesSinceLastReport = 0
    private(set) var failure: XMLError?

    /// The largest number of bytes passed to the C parser at once.
    static let stepSize = 4096

    /// - Parameter charset: The charset of Content-Type, which takes precedence over the declaration in the document
    ///   (RFC 7303, 3.2).
    init(charset: String?, limits: XMLLimits) {
        self.charset = charset
        self.limits = limits
    }

    /// Parses bytes. Callers should pass at most ``stepSize`` bytes and then take the events, because events stay in
    /// memory until they are taken.
    func feed(_ bytes: Bytes) {
        guard failure == nil else { return }
        if let context {
            push(bytes, into: context)
        } else {
            start.append(bytes)
            if start.count >= 3 { begin() }
        }
    }

    func finish() {
        if failure == nil, context == nil { begin() }
        guard failure == nil, let context else { return }
        context.finish()
        failure = context.failure
    }

    func takeEvents() -> [XMLEvent] {
        context?.takeEvents() ?? []
    }

    /// Makes an error at the current position of the parser.
    func error(_ fault: XMLFault) -> XMLError {
        context?.error(fault) ?? XMLError(fault, line: 1, column: 1, excerpt: "")
    }

    private func begin() {
        let first = start.finish()
        do throws(XMLFault) {
            let context = try XMLContext(encoding: try Self.encoding(charset, first), limits: limits)
            self.context = context
            push(first, into: context)
        } catch {
            failure = self.error(error)
        }
    }

    private func push(_ bytes: Bytes, into context: XMLContext) {
        var position = 0
        while failure == nil, position < bytes.count {
            let end = min(position + Self.stepSize, bytes.count)
            context.feed(bytes.slice(position..<end))
            failure = context.failure
            bytesSinceLastReport = context.takeProgress() ? 0 : bytesSinceLastReport + end - position
            if failure == nil, bytesSinceLastReport > limits.tokenSize {
                let message = "a tag, comment, instruction, CDATA section or DTD exceeds \(limits.tokenSize) bytes"
                failure = context.error(XMLFault(.tokenTooLarge, message))
            }
            position = end
        }
    }

    /// Determines the encoding: by a byte order mark, else by the charset of Content-Type, else by the document.
    private static func encoding(_ charset: String?, _ start: Bytes) throws(XMLFault) -> XMLContext.Encoding {
        let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]
        if marks.contains(where: { start.starts(with: $0) }) { return .byteOrderMark }
        guard let charset else { return .document }
        guard let encoding = TextEncoding(label: charset), encoding != .replacement else {
            throw XMLFault(.unknownEncoding, "the charset is not known: \(charset.prefix(40))")
        }
        // The system's converters know most encoding names of the WHATWG, but not all WHATWG labels, such as `x-sjis`.
        // If they do not know the label, the name of the encoding is tried.
        return .named(encoding == .utf8 ? [] : [charset, encoding.name])
    }
}
#endif
