import SockeyeCore
public import SockeyeEngine
import SockeyeHTTP

/// A body of several parts, each from memory, a file or a stream. The counterpart of `AFMultipartFormData`.
///
/// ```swift
/// try await api.post(
///     "photos",
///     .multipart { form in
///         form.field("title", "Coast")
///         // name and type from the path
///         try form.file("photo", at: path)
///         form.stream(
///             "raw", frames, length: count, filename: "a.raw",
///             contentType: "application/octet-stream")
///     })
/// ```
///
/// Files and streams are read while they are sent, so they need only some kilobytes of memory, whatever their size. If
/// the lengths of all parts are known, the form is sent with Content-Length, otherwise chunked. The form is replayable
/// if all parts are.
///
/// Field and file names are encoded as in the HTML standard: UTF-8, with CR, LF and the quotation mark percent-encoded.
/// If a part cannot be sent, for example because one of its header fields has a line break, ``body()`` throws and the
/// request fails.
public struct MultipartForm: Sendable {
    /// The multipart subtype. Default: ``MultipartForm/Subtype/formData``.
    public var subtype: MultipartForm.Subtype

    /// True if line ends in the values of ``field(_:_:)`` are sent as CRLF, as browsers do. Default: false, values are
    /// sent unchanged.
    public var normalizesLineEnds = false

    let framing: MultipartFraming
    private(set) var parts: [FormPart] = []
    /// The lengths of the parts in bytes; `content` is nil for content of unknown length. A separate array, so that
    /// adding the lengths up does not copy the parts.
    private(set) var lengths: [(head: Int, content: Int?)] = []
    /// The exclusive rights to read the parts that can be read only once. A request takes these rights, so a second
    /// request with the same parts fails.
    private(set) var oneShotClaims: [OneShotClaim] = []
    private(set) var throttle: Throttle?
    /// The first error that makes the form impossible to send.
    private var fault: SockeyeError?
    /// True if the caller chose the boundary. Then content in memory is searched for it.
    private let hasOwnBoundary: Bool
    /// The boundaries of nested forms.
    private var innerBoundaries: [MultipartBoundary] = []

    /// Creates an empty form with a boundary of 132 random bits.
    public init(_ subtype: MultipartForm.Subtype = .formData) {
        self.subtype = subtype
        framing = MultipartFraming(boundary: .random())
        hasOwnBoundary = false
    }

    /// Creates an empty form with a custom boundary, which must not occur in any part. If it occurs in content in
    /// memory, ``body()`` throws. Files and streams are not searched.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/encodingFailed`` unless the boundary has 1 to 70 of the characters of
    ///   RFC 2046 5.1.1 and does not end in a space.
    public init(_ subtype: MultipartForm.Subtype = .formData, boundary: String) throws(SockeyeError) {
        guard let boundary = MultipartBoundary(boundary) else { throw SockeyeError(MultipartFault.badBoundary) }
        self.subtype = subtype
        framing = MultipartFraming(boundary: boundary)
        hasOwnBoundary = true
    }

    /// The separator of the parts.
    public var boundary: String { framing.boundary.text }

    /// The number of parts.
    public var count: Int { parts.count }

    /// True if the form has no parts. Such a form is sent as a request without a body.
    public var isEmpty: Bool { parts.isEmpty }

    /// The value of Content-Type, with the boundary.
    public var contentType: String {
        var value = "multipart/\(subtype.name)"
        for parameter in subtype.parameters { value += "; \(parameter.name)=\"\(parameter.value)\"" }
        return value + "; boundary=\(framing.boundary.parameterValue)"
    }

    /// Sends the form in packets with pauses in between, like `throttleBandwidthWithPacketSize:delay:`.
    /// See ``OutgoingRequest/Body/throttled(packetSize:delay:)``.
    public mutating func throttle(
        packetSize: Int = OutgoingRequest.Body.suggestedPacketSize,
        delay: Duration = OutgoingRequest.Body.suggestedPacketDelay
    ) {
        throttle = .packets(size: packetSize, delay: delay)
    }

    /// Limits the rate at which the form is sent. See ``OutgoingRequest/Body/throttled(bytesPerSecond:)``.
    public mutating func throttle(bytesPerSecond rate: Int) {
        throttle = .rate(rate)
    }

    /// Appends a part. If the part cannot be sent, the error is kept, and ``body()`` throws it later.
    mutating func append(_ head: PartHead, _ content: OutgoingRequest.Body) {
        do throws(RequestFault) {
            let lines = try head.encoded()
            if let length = content.length, length < 0 { throw RequestFault.invalidLength }
            let pieces = hasOwnBoundary ? content.producedOutline?.pieces ?? [] : []
            for case .bytes(let bytes) in pieces where framing.boundary.mayEnd(bytes) {
                note(.boundaryInPart(parts.count + 1))
            }
            parts.append(FormPart(head: lines, content: content))
            lengths.append((lines.count, content.length))
            if let use = content.oneShotClaim { oneShotClaims.append(use) }
        } catch {
            if fault == nil { fault = .encodingFailed("part \(parts.count + 1) of the form: \(error)", error) }
        }
    }

    /// Records that the next part is a form. If its boundary, or that of a form nested in it, begins with the boundary
    /// of this form, the request fails.
    mutating func nest(_ form: MultipartForm) {
        let inner = [form.framing.boundary] + form.innerBoundaries
        if inner.contains(where: framing.boundary.conflicts(with:)) { note(.boundaryInPart(parts.count + 1)) }
        innerBoundaries += inner
    }

    private mutating func note(_ other: MultipartFault) {
        if fault == nil { fault = SockeyeError(other) }
    }

    /// Throws the first error found so far.
    func check() throws(SockeyeError) {
        if let fault { throw fault }
        let isToken = Headers.Name(subtype.name).isValid
        let texts = subtype.parameters.map(\.value)
        let areQuotable = texts.allSatisfy { !$0.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0x22 || $0 == 0x5C } }
        guard isToken, areQuotable else {
            throw .encodingFailed(
                "the subtype of the form is not a token, or one of its parameters cannot be quoted",
                RequestFault.malformedFieldValue(.contentType))
        }
    }
}

extension MultipartForm {
    /// The subtype of `multipart` that a ``MultipartForm`` is sent as.
    public struct Subtype: Sendable, Hashable {
        /// The name of the subtype, such as `form-data`.
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
        /// The same content in several formats, the best one last (RFC 2046 5.1.4).
        public static let alternative = MultipartForm.Subtype("alternative")

        /// Related parts. The first one is the root unless `start` names another (RFC 2387).
        ///
        /// - Parameters:
        ///   - rootType: The media type of the root, which RFC 2387 requires.
        ///   - start: The Content-ID of the root, with its angle brackets.
        public static func related(rootType: String, start: String? = nil) -> MultipartForm.Subtype {
            var parameters = [Parameter(name: "type", value: rootType)]
            if let start { parameters.append(Parameter(name: "start", value: start)) }
            return MultipartForm.Subtype("related", parameters)
        }

        /// Creates another subtype. Sending fails if the name is not a token.
        public init(_ name: String) {
            self.init(name, [])
        }

        private init(_ name: String, _ parameters: [Parameter]) {
            self.name = name
            self.parameters = parameters
        }
    }
}
