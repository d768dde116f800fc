import Sockeye
import SockeyeCore
import SockeyeEngine
import Synchronization

/// Copies a request body while it is sent. If the body is sent several times, keeps the copy of the last attempt.
final class RequestTap: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var trailers = Headers()
        var isTooLarge = false
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// Returns the request with a body that is copied while it is sent, and without the request's observer. The call's
    /// chain of interceptors, which runs before the recorder, already reports to the observer. Only the number of sent
    /// bytes is still reported from here.
    func tapping(_ request: OutgoingRequest) -> OutgoingRequest {
        var request = request
        let observer = request.options.observer
        let exchange = observer?.exchange ?? 0
        let (length, report) = (request.body.length, request.options.onBodyProgress)
        request.options.observer = nil
        if let observer {
            request.options.onBodyProgress = { count in
                report?(count)
                observer.sentBody(count, of: length, in: exchange)
            }
        }
        // Lets the recorder read more of the response body than the caller's limit allows. `RecordedTransport` applies
        // the caller's limit only to the caller's reads.
        request.options.bodyLimit = .max
        switch request.body.source {
        case .none: break
        case .bytes(let bytes): append(bytes)
        case .producer:
            let trailers = request.body.trailers
            request.body = request.body.passing { [self] sink in
                begin()
                return TappedSink(target: sink, tap: self)
            }
            if let trailers {
                request.body = request.body.trailers { [self] in
                    let made = try await trailers()
                    state.withLock { $0.trailers = made }
                    return made
                }
            }
        }
        return request
    }

    private func begin() {
        state.withLock { $0 = State() }
    }

    fileprivate func append(_ bytes: some Collection<UInt8>) {
        state.withLock { state in
            state.isTooLarge = state.isTooLarge || state.bytes.count + bytes.count > limit
            if !state.isTooLarge { state.bytes.append(contentsOf: bytes) }
        }
    }

    /// The content sent so far; nil if it exceeded the limit.
    var content: (body: Bytes, trailers: Headers)? {
        state.withLock { $0.isTooLarge ? nil : (Bytes($0.bytes), $0.trailers) }
    }
}

/// A sink that copies the bytes it passes on.
private struct TappedSink: BodySink {
    let target: any BodySink
    let tap: RequestTap

    var time: TimeSource { target.time }

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        tap.append(chunk)
        try await target.write(chunk)
    }

    func pause(until deadline: MonotonicTime) async throws(SockeyeError) {
        try await target.pause(until: deadline)
    }
}

/// A collector of the interim responses of an exchange.
final class InterimTap: Sendable {
    private let state = Mutex<[RecordedExchange.Head]>([])

    var heads: [RecordedExchange.Head] { state.withLock { $0 } }

    func append(_ interim: IncomingResponse.Interim) {
        state.withLock { $0.append(RecordedExchange.Head(interim)) }
    }
}

extension OutgoingRequest {
    /// Returns the request with the body of `collected` in place of the original body, which has already been read.
    func with(_ collected: MockRequest) -> OutgoingRequest {
        var request = self
        var body = OutgoingRequest.Body.bytes(collected.body)
        if collected.bodyLength == nil {
            let bytes = collected.body
            body = .stream(length: nil) {
                AsyncStream<Bytes> { continuation in
                    continuation.yield(bytes)
                    continuation.finish()
                }
            }
        }
        if !collected.trailers.isEmpty { body = body.trailers { collected.trailers } }
        request.body = body
        return request
    }
}
