#if XML
import CSockeyeXML
import SockeyeCore

/// The owner of libxml2's push parser context. All unsafe code of this module is in this file and in
/// `XMLContext+Callbacks.swift`.
///
/// - The C parser is created in `init` and freed in `deinit`, nowhere else.
/// - The C parser has an unretained pointer to this object. It uses the pointer only during ``feed(_:)`` and
///   ``finish()``, while the object is alive.
/// - Callbacks copy the values behind their pointers before they return.
/// - The C parser runs its callbacks synchronously, on the caller's thread. They do not overlap, because this class is
///   not Sendable and only one task at a time uses an object.
@safe final class XMLContext {
    /// The source of the document's encoding.
    enum Encoding {
        case byteOrderMark
        /// The encoding of the first label that the parser knows; UTF-8 if there is no label. The declaration in the
        /// document is ignored.
        case named([String])
        case document
    }

    private var parser: OpaquePointer?
    var collector: XMLEventCollector
    private let maximumNames: Int
    private(set) var failure: XMLError?
    private var isFinishing = false

    /// Creates libxml2's global tables. A static property, because Swift initializes it only once, on one thread: old
    /// versions of xmlInitParser are not thread-safe.
    private static let library: Void = sockeye_xml_initialize()

    init(encoding: Encoding, limits: XMLLimits) throws(XMLFault) {
        _ = Self.library
        collector = XMLEventCollector(limits: limits)
        maximumNames = limits.maximumNames
        var ignoresDeclaration: Int32 = 1
        if case .document = encoding { ignoresDeclaration = 0 }
        var callbacks = Self.callbacks
        unsafe parser = unsafe sockeye_xml_new(
            &callbacks, Unmanaged.passUnretained(self).toOpaque(), ignoresDeclaration)
        guard let parser = unsafe parser else { throw XMLFault(.malformed, "out of memory for the XML parser") }
        if case .named(let labels) = encoding, let label = labels.first,
            !labels.contains(where: { unsafe sockeye_xml_set_encoding(parser, $0) == 0 })
        {
            throw XMLFault(.unknownEncoding, "the charset is not known: \(label.prefix(40))")
        }
    }

    deinit {
        unsafe sockeye_xml_free(parser)
    }

    func feed(_ bytes: Bytes) {
        guard failure == nil else { return }
        unsafe bytes.withUnsafeBytes { buffer in
            let start = unsafe buffer.bindMemory(to: CChar.self).baseAddress
            unsafe parse(start, Int32(clamping: buffer.count), isLast: false)
        }
    }

    func finish() {
        guard failure == nil else { return }
        isFinishing = true
        unsafe parse(nil, 0, isLast: true)
    }

    private func parse(_ bytes: UnsafePointer<CChar>?, _ count: Int32, isLast: Bool) {
        guard let parser = unsafe parser else { return }
        unsafe sockeye_xml_parse(parser, bytes, count, isLast ? 1 : 0)
        guard failure == nil else { return }
        // Covers faults that the C parser did not report by a callback.
        if unsafe sockeye_xml_is_well_formed(parser) == 0 {
            fail(XMLFault(.malformed, "the document is not well-formed"))
        } else if unsafe sockeye_xml_count_names(parser) > maximumNames {
            fail(XMLFault(.tooManyNames, "the document has more than \(maximumNames) different names"))
        }
    }

    func takeEvents() -> [XMLEvent] {
        collector.takeEvents()
    }

    /// Returns true if the C parser reported content since the last call.
    func takeProgress() -> Bool {
        defer { collector.hasReported = false }
        return collector.hasReported
    }

    // MARK: Failing

    /// Applies a callback's report to the collector, unless an earlier report failed.
    func report(_ body: (inout XMLEventCollector) throws(XMLFault) -> Void) {
        guard failure == nil else { return }
        do throws(XMLFault) {
            try body(&collector)
        } catch {
            fail(error)
        }
    }

    /// Records a fault that the C parser found.
    func report(_ fault: sockeye_xml_fault, _ message: UnsafePointer<CChar>?) {
        guard failure == nil else { return }
        let message = unsafe XMLReading.message(message)
        switch fault {
        // If a tag is truncated, the C parser may report an undeclared prefix before it reports the truncation.
        case SOCKEYE_XML_NAMESPACE: fail(isFinishing ? faultAtEnd(message) : XMLFault(.undeclaredPrefix, message))
        case SOCKEYE_XML_CHARACTER: fail(XMLFault(.invalidCharacter, message))
        case SOCKEYE_XML_ENCODING: fail(XMLFault(.unknownEncoding, message))
        case SOCKEYE_XML_UNDECLARED_ENTITY: fail(XMLFault(.undeclaredEntity, message))
        case SOCKEYE_XML_ENTITY_LOOP: fail(XMLFault(.tooMuchExpansion, message))
        case SOCKEYE_XML_TOO_LARGE: fail(XMLFault(.tokenTooLarge, message))
        case SOCKEYE_XML_NO_MEMORY:
            fail(XMLFault(.tooManyNames, "the names exceed the memory limit of libxml2"))
        default: fail(isFinishing ? faultAtEnd(message) : XMLFault(.malformed, message))
        }
    }

    /// Returns the fault of a document after its last byte was fed: empty, truncated or malformed. The C parser reports
    /// truncation by many different errors, so the text around the parser's position decides between these faults.
    private func faultAtEnd(_ message: String) -> XMLFault {
        let (before, after) = surroundings()
        let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let next = after.first { !isBlank($0) }
        let isStart = !collector.hasRoot && before.allSatisfy(isBlank)
        if isStart, next == nil { return XMLFault(.empty, "there is no document") }
        // Not truncated: the root element has ended, or the document does not begin with '<'.
        if let next, collector.isComplete || isStart && next != UInt8(ascii: "<") {
            return XMLFault(.malformed, message)
        }
        return XMLFault(.unexpectedEnd, "the document ends too early")
    }

    /// Records the first failure and stops the C parser, because parsing the rest of the bytes given to ``feed(_:)``
    /// could still take long.
    private func fail(_ fault: XMLFault) {
        failure = error(fault)
        guard let parser = unsafe parser else { return }
        unsafe sockeye_xml_stop(parser)
    }

    /// Returns the text before and after the parser's position, up to 80 bytes each.
    private func surroundings() -> (before: [UInt8], after: [UInt8]) {
        guard let parser = unsafe parser else { return ([], []) }
        let place = unsafe sockeye_xml_find_place(parser)
        guard let text = unsafe place.text else { return ([], []) }
        let before = unsafe min(place.before, XMLExcerpt.reach)
        let here = unsafe text + place.before
        return unsafe (
            Array(UnsafeBufferPointer(start: here - before, count: before)),
            Array(UnsafeBufferPointer(start: here, count: min(place.after, XMLExcerpt.reach)))
        )
    }

    func error(_ fault: XMLFault) -> XMLError {
        guard let parser = unsafe parser else { return XMLError(fault, line: 1, column: 1, excerpt: "") }
        let place = unsafe sockeye_xml_find_place(parser)
        let (before, after) = surroundings()
        let excerpt = before.isEmpty && after.isEmpty ? "" : XMLExcerpt.text(before, after)
        return unsafe XMLError(fault, line: Int(place.line), column: Int(place.column), excerpt: excerpt)
    }
}
#endif
