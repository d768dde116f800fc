import SockeyeCore
public import SockeyeEngine
import SockeyeHTTP

/// A body of several parts, each of which may come from memory, a file or a stream: the counterpart of
/// `AFMultipartFormData`.
///
/// ```swift
/// try await api.post("photos", .multipart { form in
///     form.field("title", "Coast")
///     try form.file("photo", at: path)                       // name and type from the path
///     form.stream("raw", frames, length: count, filename: "a.raw", contentType: "application/octet-stream")
/// })
/// ```
///
/// A form is a value that holds what was given to it and nothing more: files and streams are read while they are sent,
/// as fast as the peer takes them, so that a form of any size costs some kilobytes. It is sent with Content-Length where
/// the length of every part is known, else chunked, and can be sent again if every part can.
///
/// Names and file names go as the HTML standard has it: UTF-8 as it is, with CR, LF and the quote percent-encoded. What
/// cannot be sent (a field of a part with a line break, a negative length) is an error of ``body()``, and so of the
/// request.
public struct MultipartForm: Sendable {
    /// The kind. Default ``MultipartForm/Subtype/formData``.
    public var subtype: MultipartForm.Subtype

    /// Whether line ends in the values of ``field(_:_:)`` are sent as CRLF, as browsers do. Default false: values arrive as
    /// they are.
    public var normalizesLineEnds = false

    let framing: MultipartFraming
    private(set) var parts: [FormPart] = []
    /// The lengths of the parts, in an array of their own: adding them up does not touch the parts.
    private(set) var lengths: [(head: Int, content: Int?)] = []
    /// Guards of the parts that can be read once only.
    private(set) var singleUses: [OneShotClaim] = []
    private(set) var throttle: Throttle?
    /// What makes the form impossible to send; the first of several.
    private var fault: SockeyeError?
    /// Whether the boundary is the caller's: then content in memory is searched for it.
    private let hasOwnBoundary: Bool
    /// The boundaries of nested forms.
    private var innerBoundaries: [MultipartBoundary] = []

    /// Makes an empty form with a random boundary of 132 bits.
    public init(_ subtype: MultipartForm.Subtype = .formData) {
        self.subtype = subtype
        framing = MultipartFraming(boundary: .random())
        hasOwnBoundary = false
    }

    /// Makes an empty form with a boundary of your own, which must not occur in any part. Where it occurs in content that
    /// is in memory, ``body()`` throws; files and streams are not searched.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/encodingFailed`` unless it is 1 to 70 of the characters of RFC 2046
    ///   5.1.1, the last one no space.
    public init(_ subtype: MultipartForm.Subtype = .formData, boundary: String) throws(SockeyeError) {
        guard let boundary = MultipartBoundary(boundary) else { throw SockeyeError(MultipartFault.badBoundary) }
        self.subtype = subtype
        framing = MultipartFraming(boundary: boundary)
        hasOwnBoundary = true
    }

    /// What separates the parts.
    public var boundary: String { framing.boundary.text }

    /// How many parts there are.
    public var count: Int { parts.count }

    /// Whether there are no parts. Such a form is sent as a request without a body.
    public var isEmpty: Bool { parts.isEmpty }

    /// The value of Content-Type, with the boundary.
    public var contentType: String {
        var value = "multipart/\(subtype.name)"
        for parameter in subtype.parameters { value += "; \(parameter.name)=\"\(parameter.value)\"" }
        return value + "; boundary=\(framing.boundary.parameterValue)"
    }

    /// Sends the form in packets with a pause between two of them, as `throttleBandwidthWithPacketSize:delay:`.
    /// See ``OutgoingRequest/Body/throttled(packetSize:delay:)``.
    public mutating func throttle(
        packetSize: Int = OutgoingRequest.Body.suggestedPacketSize,
        delay: Duration = OutgoingRequest.Body.suggestedPacketDelay
    ) {
        throttle = .packets(size: packetSize, delay: delay)
    }

    /// Sends the form no faster than this. See ``OutgoingRequest/Body/throttled(bytesPerSecond:)``.
    public mutating func throttle(bytesPerSecond rate: Int) {
        throttle = .rate(rate)
    }

    /// Adds a part; a fault in it is kept for ``body()``.
    mutating func append(_ head: PartHead, _ content: OutgoingRequest.Body) {
        do throws(RequestFault) {
            let lines = try head.encoded()
            if let length = content.length, length < 0 { throw RequestFault.invalidLength }
            if hasOwnBoundary, case .bytes(let bytes) = content.source, framing.boundary.separates(bytes) {
                note(.boundaryInPart(parts.count + 1))
            }
            parts.append(FormPart(head: lines, content: content))
            lengths.append((lines.count, content.length))
            if let use = content.oneShotClaim { singleUses.append(use) }
        } catch {
            if fault == nil { fault = .encodingFailed("part \(parts.count + 1) of the form: \(error)", error) }
        }
    }

    /// Notes that the next part is a form; one with the same boundary, such as a copy, is a fault.
    mutating func nest(_ form: MultipartForm) {
        let inner = [form.framing.boundary] + form.innerBoundaries
        if inner.contains(where: framing.boundary.separates(formWith:)) { note(.boundaryInPart(parts.count + 1)) }
        innerBoundaries += inner
    }

    private mutating func note(_ other: MultipartFault) {
        if fault == nil { fault = SockeyeError(other) }
    }

    /// Throws what was found wrong so far.
    func check() throws(SockeyeError) {
        if let fault { throw fault }
        let isToken = Headers.Name(subtype.name).isValid
        let texts = subtype.parameters.map(\.value)
        let areQuotable = texts.allSatisfy { !$0.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0x22 || $0 == 0x5C } }
        guard isToken, areQuotable else {
            throw .encodingFailed("the subtype of the form", RequestFault.malformedFieldValue(.contentType))
        }
    }
}

extension MultipartForm {
    /// The kind of a ``MultipartForm``: which subtype of `multipart` it is sent as.
    public struct Subtype: Sendable, Hashable {
        /// The subtype, such as `form-data`.
        public let name: String
        /// Parameters of Content-Type besides the boundary, in order.
        let parameters: [Parameter]

        struct Parameter: Sendable, Hashable {
            let name: String
            let value: String
        }

        /// A form (RFC 7578). The default.
        public static let formData = MultipartForm.Subtype("form-data")
        /// Independent parts in order (RFC 2046 5.1.3).
        public static let mixed = MultipartForm.Subtype("mixed")
        /// The same content in several forms, the best last (RFC 2046 5.1.4).
        public static let alternative = MultipartForm.Subtype("alternative")

        /// Parts that belong together, the first one being the root unless `start` names another (RFC 2387).
        ///
        /// - Parameters:
        ///   - rootType: The media type of the root, which the standard requires.
        ///   - start: The Content-ID of the root, with its angle brackets.
        public static func related(rootType: String, start: String? = nil) -> MultipartForm.Subtype {
            var parameters = [Parameter(name: "type", value: rootType)]
            if let start { parameters.append(Parameter(name: "start", value: start)) }
            return MultipartForm.Subtype("related", parameters)
        }

        /// Another subtype. One that is no token makes sending fail.
        public init(_ name: String) {
            self.init(name, [])
        }

        private init(_ name: String, _ parameters: [Parameter]) {
            self.name = name
            self.parameters = parameters
        }
    }
}
