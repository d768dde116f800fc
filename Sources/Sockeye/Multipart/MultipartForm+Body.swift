import SockeyeCore
public import SockeyeEngine
import SockeyeHTTP

extension MultipartForm {
    /// Returns the form as a body, to be sent with ``contentType``. No content is read yet. A form without parts gives
    /// no body.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/encodingFailed`` if a part or the multipart subtype of the form
    ///   cannot be sent.
    public func body() throws(SockeyeError) -> OutgoingRequest.Body {
        try check()
        guard !parts.isEmpty else { return .none }
        let body = segments.body(length: framing.length(of: lengths), OneShotClaim.all(oneShotClaims))
        return throttle.map(body.throttled) ?? body
    }

    private var segments: FormSegments {
        var segments = FormSegments()
        // A span, so that iterating does not copy the parts.
        let parts = parts.span
        for index in parts.indices {
            segments.append { framing.writeOpening(parts[index].head, isFirst: index == 0, to: &$0) }
            segments.append(parts[index].content, part: index + 1)
        }
        segments.append { $0 += framing.ending }
        return segments
    }
}

extension OutgoingRequest {
    /// Makes the form the content of this request, and sets or replaces Content-Type. If the form has no parts, the
    /// request is unchanged.
    ///
    /// - Throws: ``SockeyeError/Code-swift.struct/invalidRequest`` for GET and HEAD, as in AFNetworking, and
    ///   ``SockeyeError/Code-swift.struct/encodingFailed`` if the form cannot be sent.
    public mutating func setBody(_ form: MultipartForm) throws(SockeyeError) {
        let identity = RequestIdentity(method: method.rawValue, url: url)
        guard method != .get, method != .head else {
            let message = "a multipart form cannot be sent with \(method.rawValue)"
            throw SockeyeError(.init(.invalidRequest, phase: .prepare, blame: .caller, message: message)).about(
                identity)
        }
        do throws(SockeyeError) {
            let body = try form.body()
            guard !form.isEmpty else { return }
            change { values in
                values.body = body
                values.headers[.contentType] = form.contentType
            }
        } catch {
            throw error.about(identity)
        }
    }
}

/// A part of a form, ready to be sent.
struct FormPart: Sendable {
    /// The encoded field lines.
    let head: [UInt8]
    let content: OutgoingRequest.Body
}

/// A form as a sequence of writes. Small pieces are gathered in a buffer, large ones are written directly.
struct FormSegments: Sendable {
    private enum Segment: Sendable {
        case bytes(Bytes)
        case part(OutgoingRequest.Body, number: Int)

        /// The content of a piece that is small enough to gather; if the piece is a small file, this property reads
        /// it. Nil for a larger piece, for a stream, and for a file that is not in the system's cache.
        var small: Bytes? {
            get throws(SockeyeError) {
                switch self {
                case .bytes(let bytes): bytes.count <= FormSegments.smallSize ? bytes : nil
                case .part(let content, _):
                    if let length = content.length, length <= FormSegments.smallSize {
                        try content.readShortFile()
                    } else {
                        nil
                    }
                }
            }
        }

        var outline: [BodyOutline.Piece] {
            switch self {
            case .bytes(let bytes): [.bytes(bytes)]
            case .part(let content, _): content.outline?.pieces ?? [.unknown(length: content.length)]
            }
        }
    }

    private var segments: [Segment] = []
    private var gathered: [UInt8] = []

    /// The size up to which copying is cheaper than a separate write.
    private static let smallSize = 16 << 10
    /// The size at which gathered bytes are written.
    private static let gatherSize = 64 << 10

    /// Calls `write`, which adds bytes to the buffer.
    mutating func append(_ write: (inout [UInt8]) -> Void) {
        write(&gathered)
        if gathered.count >= Self.gatherSize { flush() }
    }

    mutating func append(_ content: OutgoingRequest.Body, part: Int) {
        switch content.source {
        case .none: break
        case .bytes(let bytes) where bytes.count <= Self.smallSize: append { $0.append(contentsOf: bytes) }
        case .bytes(let bytes):
            flush()
            segments.append(.bytes(bytes))
        case .producer:
            flush()
            segments.append(.part(content, number: part))
        }
    }

    private mutating func flush() {
        guard !gathered.isEmpty else { return }
        segments.append(.bytes(Bytes(gathered)))
        gathered = []
    }

    /// Returns the body. If the whole form is small and in memory, the body is plain bytes, which are sent together
    /// with the head.
    ///
    /// - Parameter oneShotClaim: The right to read the parts that can be read only once; nil if all parts can be read
    ///   again.
    func body(length: Int?, _ oneShotClaim: OneShotClaim?) -> OutgoingRequest.Body {
        var all = self
        all.flush()
        let segments = all.segments
        if segments.count == 1, case .bytes(let bytes)? = segments.first { return .bytes(bytes) }
        let outline = BodyOutline(segments.flatMap(\.outline))
        return .produced(length: length, oneShotClaim, outline: outline) { sink in
            guard let oneShotClaim else { return try await Self.write(segments, to: sink) }
            try await oneShotClaim.beginParts { try await Self.write(segments, to: sink) }
        }
    }

    private static func write(_ segments: [Segment], to sink: any BodySink) async throws {
        var gathered = BytesAccumulator(expected: gatherSize)
        for segment in segments {
            if let bytes = try segment.small {
                gathered.append(bytes)
                if gathered.count >= gatherSize { try await sink.write(gathered.finish()) }
                continue
            }
            if gathered.count > 0 { try await sink.write(gathered.finish()) }
            switch segment {
            case .bytes(let bytes): try await sink.write(bytes)
            case .part(let content, let number):
                try await content.produceExactly(into: sink, as: "part \(number) of the form")
            }
        }
        if gathered.count > 0 { try await sink.write(gathered.finish()) }
    }
}
