import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import Synchronization

/// Undoes the content coding of a body while it is read.
final class DecodingSource: BodySource {
    private let decoder: ContentDecoder
    private let first: Mutex<Bytes>
    private let upstream: (any BodySource)?

    init(_ codings: [ContentCoding], limits: DecodingLimits, first: Bytes, upstream: (any BodySource)?) {
        decoder = ContentDecoder(codings, limits: limits)
        self.first = Mutex(first)
        self.upstream = upstream
    }

    var trailers: HTTPFields? { upstream?.trailers }

    func next() async throws(SockeyeError) -> Bytes? {
        while true {
            if let piece = try decode({ () throws(CodecError) in try decoder.next() }) { return piece }
            guard let coded = try await nextCoded() else {
                try decode { () throws(CodecError) in try decoder.finish() }
                return nil
            }
            decoder.push(coded)
        }
    }

    private func nextCoded() async throws(SockeyeError) -> Bytes? {
        let first = first.withLock { first in
            defer { first = Bytes() }
            return first
        }
        if !first.isEmpty { return first }
        return try await upstream?.next()
    }

    private func decode<Value>(_ body: () throws(CodecError) -> Value) throws(SockeyeError) -> Value {
        do throws(CodecError) { return try body() } catch { throw SockeyeError(error, progress: decoder.progress) }
    }
}
