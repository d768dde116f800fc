import SockeyeEngine
import SockeyeHTTP

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
