import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

extension OutgoingRequest {
    /// How the body of a request is compressed (RFC 9110 8.4).
    ///
    /// Only for servers that are known to undo it: HTTP has no way to ask beforehand, and a server that does not know the
    /// coding answers 415. A coding whose library is not linked (``ContentCoding/isLinked``) fails the request before it is
    /// sent, with ``SockeyeError/Code-swift.struct/badConfiguration`` and the name of the trait that links it.
    ///
    /// ```swift
    /// try await api.post("events", .json(events), options: .compressing(.gzip))
    /// ```
    public struct Compression: Sendable, Hashable {
        /// How the body is coded, and what Content-Encoding says.
        public var coding: ContentCoding
        /// From the fastest to the smallest: 1 to 9 for gzip and deflate (default 6), to 11 for br (5), to 19 for zstd (3).
        public var level: Int
        /// Bodies of a known length below this many bytes stay as they are. Default 0.
        public var minimumLength: Int

        /// Makes a compression; a level beyond those of the coding counts as the nearest one, nil is its default.
        public init(_ coding: ContentCoding, level: Int? = nil, minimumLength: Int = 0) {
            self.coding = coding
            self.level = min(max(level ?? coding.defaultLevel, 1), coding.levels.upperBound)
            self.minimumLength = minimumLength
        }

        /// gzip, at level 6.
        public static let gzip = OutgoingRequest.Compression(.gzip)
        /// deflate, at level 6.
        public static let deflate = OutgoingRequest.Compression(.deflate)
        /// br, at level 5. It needs the package's trait `Brotli`.
        public static let brotli = OutgoingRequest.Compression(.brotli)
        /// zstd, at level 3. It needs the package's trait `Zstandard`.
        public static let zstandard = OutgoingRequest.Compression(.zstandard)
    }
}

extension OutgoingRequest.Compression {
    /// The request with its body coded as its options say, unless it has none, has a small one, or says that it is coded
    /// already.
    ///
    /// A body in memory is coded at once, so that its length is known; any other while it is sent, in pieces and chunked.
    static func applied(to request: OutgoingRequest) throws(SockeyeError) -> OutgoingRequest {
        guard let compression = request.options.compression else { return request }
        var request = request
        request.options.compression = nil
        if let trait = compression.coding.missingTrait {
            throw SockeyeError(CodecError.notLinked(compression.coding, trait: trait))
        }
        guard compression.coding != .identity else { return request }
        let isLarge = request.body.length.map { $0 > 0 && $0 >= compression.minimumLength } ?? true
        guard isLarge, !request.headers.contains(.contentEncoding) else { return request }
        do throws(CodecError) {
            request.body = try compression.compressing(request.body)
        } catch {
            throw SockeyeError(error)
        }
        // The length of the content without its coding.
        request.headers.removeAll(named: .contentLength)
        request.headers.append(.contentEncoding, compression.coding.rawValue)
        return request
    }

    private func compressing(_ body: OutgoingRequest.Body) throws(CodecError) -> OutgoingRequest.Body {
        switch body.source {
        case .none: return body
        case .bytes(let bytes): return .bytes(try ContentEncoder.encode(bytes, as: coding, level: level))
        case .producer:
            let compression = self
            return body.replacingProducer { sink in
                let encoder = try ContentEncoder(compression.coding, level: compression.level)
                let compressing = CompressingSink(target: sink, encoder: encoder)
                try await body.produceExactly(into: compressing, as: "the body")
                try await compressing.finish()
            }
        }
    }
}

/// Compresses what is written to another sink. Codecs gather: small pieces come out together, or at the end.
final class CompressingSink: BodySink {
    private let target: any BodySink
    /// Used by the task that writes the body, and by no other.
    private let encoder: ContentEncoder

    init(target: any BodySink, encoder: ContentEncoder) {
        self.target = target
        self.encoder = encoder
    }

    var time: TimeSource { target.time }

    func pause(until deadline: MonotonicTime) async throws(SockeyeError) {
        try await target.pause(until: deadline)
    }

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        encoder.push((chunk as? Bytes) ?? Bytes(chunk))
        try await drain()
    }

    /// Sends what the codec still holds. Called once, when the producer has returned.
    func finish() async throws(SockeyeError) {
        encoder.finish()
        try await drain()
    }

    private func drain() async throws(SockeyeError) {
        while let piece = try next() { try await target.write(piece) }
    }

    private func next() throws(SockeyeError) -> Bytes? {
        do throws(CodecError) { return try encoder.next() } catch { throw SockeyeError(error) }
    }
}
