import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

extension OutgoingRequest {
    /// The compression of a request body (RFC 9110 8.4).
    ///
    /// Use compression only for servers that are known to decode the coding. HTTP has no reliable way to ask in
    /// advance, and a server that does not know the coding may answer 415. If the coding's library is not linked
    /// (``ContentCoding/isLinked``), the request fails before it is sent, with
    /// ``SockeyeError/Code-swift.struct/badConfiguration``. The message names the trait that links the library.
    ///
    /// ```swift
    /// try await api.post("events", .json(events), options: .compressing(.gzip))
    /// ```
    public struct Compression: Sendable, Hashable {
        /// The content coding, which is also the value of Content-Encoding.
        public var coding: ContentCoding
        /// The level, from the fastest compression to the smallest output: 1 to 9 for gzip and deflate (default 6), 1
        /// to 11 for br (default 5), and 1 to 19 for zstd (default 3). A level outside the coding's range has the
        /// effect of the nearest valid one.
        public var level: Int
        /// The minimum length in bytes: a shorter body of known length is not compressed. Default: 0.
        public var minimumLength: Int

        /// Creates a compression. A level outside the coding's range is replaced by the nearest valid one. If
        /// `level` is nil, the coding's default level applies.
        public init(_ coding: ContentCoding, level: Int? = nil, minimumLength: Int = 0) {
            self.coding = coding
            self.level = coding.clamped(level: level ?? coding.defaultLevel)
            self.minimumLength = minimumLength
        }

        /// gzip, at level 6.
        public static let gzip = OutgoingRequest.Compression(.gzip)
        /// deflate, at level 6.
        public static let deflate = OutgoingRequest.Compression(.deflate)
        /// br, at level 5. Requires the package's trait `Brotli`.
        public static let brotli = OutgoingRequest.Compression(.brotli)
        /// zstd, at level 3. Requires the package's trait `Zstandard`.
        public static let zstandard = OutgoingRequest.Compression(.zstandard)
    }
}

extension OutgoingRequest.Compression {
    /// Returns the request with its body compressed as its options say. A request without a body, with a body below the
    /// minimum length, or with a Content-Encoding field is not compressed.
    ///
    /// A body in memory is compressed completely before it is sent, so its compressed length is known. Any other body
    /// is compressed piece by piece and sent chunked, because its compressed length is not known in advance.
    package static func applied(to request: OutgoingRequest) throws(SockeyeError) -> OutgoingRequest {
        guard let compression = request.options.compression else { return request }
        var request = request
        request.options.compression = nil
        if let trait = compression.coding.missingTrait {
            throw SockeyeError(CodecError.notLinked(compression.coding, trait: trait))
        }
        guard compression.changes(request) else { return request }
        do throws(CodecError) {
            request.body = try compression.compressing(request.body)
        } catch {
            throw SockeyeError(error)
        }
        // A Content-Length set by the caller is that of the uncompressed content.
        request.headers.removeAll(named: .contentLength)
        request.headers.append(.contentEncoding, compression.coding.rawValue)
        return request
    }

    /// Returns true if this compression compresses the body of the request.
    package func changes(_ request: OutgoingRequest) -> Bool {
        guard coding != .identity, !request.headers.contains(.contentEncoding) else { return false }
        return request.body.length.map { $0 > 0 && $0 >= minimumLength } ?? true
    }

    private func compressing(_ body: OutgoingRequest.Body) throws(CodecError) -> OutgoingRequest.Body {
        switch body.source {
        case .none: return body
        case .bytes(let bytes):
            return .bytes(try ContentEncoder.encode(bytes, as: coding, level: coding.clamped(level: level)))
        case .producer:
            let compression = self
            return body.replacingProducer { sink in
                let level = compression.coding.clamped(level: compression.level)
                let encoder = try ContentEncoder(compression.coding, level: level)
                let compressing = CompressingSink(target: sink, encoder: encoder)
                try await body.produceExactly(into: compressing, as: "the body")
                try await compressing.finish()
            }
        }
    }
}

extension ContentCoding {
    fileprivate func clamped(level: Int) -> Int { min(max(level, 1), levels.upperBound) }
}

/// A body sink that compresses its input for another sink. Codecs buffer, so a small piece may reach the other sink
/// only together with later pieces, or at the end.
final class CompressingSink: BodySink {
    private let target: any BodySink
    /// Only used by the task that writes the body.
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

    /// Writes the rest of the codec's output. Called once, after the producer has returned.
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
