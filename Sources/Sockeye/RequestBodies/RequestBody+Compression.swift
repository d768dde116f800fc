import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

extension OutgoingRequest {
    /// How the body of a request is compressed (RFC 9110 8.4).
    ///
    /// Only for servers that are known to undo it: HTTP has no way to ask beforehand, and one that does not answers 415.
    ///
    /// ```swift
    /// try await api.post("events", .json(events), options: .compressing(.gzip))
    /// ```
    public struct Compression: Sendable, Hashable {
        /// The codings.
        public enum Coding: String, Sendable, Hashable {
            /// RFC 1952.
            case gzip
            /// The zlib format of RFC 1950, which is what the name means in HTTP.
            case deflate
        }

        /// How the body is coded, and what Content-Encoding says.
        public var coding: Coding
        /// From 1, the fastest, to 9, the smallest. Default 6.
        public var level: Int
        /// Bodies of a known length below this many bytes stay as they are. Default 0.
        public var minimumLength: Int

        /// Makes a compression; a level beyond 1 and 9 counts as the nearer of the two.
        public init(_ coding: Coding, level: Int = 6, minimumLength: Int = 0) {
            self.coding = coding
            self.level = min(max(level, 1), 9)
            self.minimumLength = minimumLength
        }

        /// gzip, at level 6.
        public static let gzip = OutgoingRequest.Compression(.gzip)
        /// deflate, at level 6.
        public static let deflate = OutgoingRequest.Compression(.deflate)
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
        let isLarge = request.body.length.map { $0 > 0 && $0 >= compression.minimumLength } ?? true
        guard isLarge, !request.headers.contains(.contentEncoding) else { return request }
        do throws(CodecError) {
            request.body = try compression.compressing(request.body)
        } catch {
            throw SockeyeError(error)
        }
        request.headers.append(.contentEncoding, compression.coding.rawValue)
        return request
    }

    private func compressing(_ body: OutgoingRequest.Body) throws(CodecError) -> OutgoingRequest.Body {
        switch body.source {
        case .none: return body
        case .bytes(let bytes): return .bytes(try ContentEncoder.encode(bytes, as: contentCoding, level: level))
        case .producer:
            let compression = self
            return body.replacingProducer { sink in
                let encoder = try ContentEncoder(compression.contentCoding, level: compression.level)
                let compressing = CompressingSink(target: sink, encoder: encoder)
                try await body.produceExactly(into: compressing, as: "the body")
                try await compressing.finish()
            }
        }
    }

    private var contentCoding: ContentCoding {
        switch coding {
        case .gzip: .gzip
        case .deflate: .deflate
        }
    }
}

/// Compresses what is written to another sink. zlib gathers: small pieces come out together, or at the end.
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

    /// Sends what zlib still holds. Called once, when the producer has returned.
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
