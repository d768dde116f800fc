public import SockeyeCore
public import SockeyeEngine
import Synchronization

extension OutgoingRequest {
    /// Reads the content into memory and replaces it with the bytes, so that it can be read and sent again.
    ///
    /// For interceptors that inspect or replace content:
    ///
    /// ```swift
    /// var request = request
    /// let content = try await request.collectBody(upTo: 1 << 20)
    /// request.body = .bytes(sealed(content))
    /// return try await call.proceed(request)
    /// ```
    ///
    /// Trailers are kept. A stream that can be sent only once is consumed, even if reading fails.
    ///
    /// - Parameter limit: The maximum number of bytes. Default: 16 MiB. If the declared length exceeds the limit, this
    ///   method throws before it reads any content.
    /// - Throws: ``SockeyeError/Code-swift.struct/limitExceeded`` beyond the limit.
    ///   ``SockeyeError/Code-swift.struct/bodyFailed`` if the content cannot be read.
    ///   ``SockeyeError/Code-swift.struct/bodyLengthMismatch`` if its length differs from the declared one.
    ///   ``SockeyeError/Code-swift.struct/bodyConsumed`` if content that can be read only once was read before, or is
    ///   about to be sent by another request. ``SockeyeError/Code-swift.struct/cancelled`` if the task is cancelled.
    public mutating func collectBody(
        upTo limit: Int = IncomingResponse.defaultCollectLimit
    ) async throws(SockeyeError) -> Bytes {
        let bytes: Bytes
        do throws(SockeyeError) {
            bytes = try await body.collected(upTo: limit)
        } catch {
            throw error.about(RequestIdentity(method: method.rawValue, url: url))
        }
        if body.isProduced {
            let collected = OutgoingRequest.Body.bytes(bytes)
            body = body.trailers.map { collected.trailers($0) } ?? collected
        }
        return bytes
    }
}

extension OutgoingRequest.Body {
    fileprivate func collected(upTo limit: Int) async throws(SockeyeError) -> Bytes {
        if let length, length > limit { throw .contentTooLarge(limit: limit, seen: length) }
        if let bytes = bytesInMemory { return bytes }
        try oneShotClaim?.claim()
        let collected = LockedValue(BytesAccumulator(expected: length))
        try await read(for: "an interceptor") { piece throws(SockeyeError) in
            let count = collected.value.withLock { collected in
                collected.append(piece)
                return collected.count
            }
            if count > limit { throw .contentTooLarge(limit: limit, seen: count) }
        }
        return collected.value.withLock { $0.finish() }
    }

    /// Reads the content from start to end and folds its pieces into a value.
    ///
    /// - Parameter purpose: The purpose of reading, for error texts.
    func reduce<Result: Sendable>(
        into initial: Result, for purpose: String, _ update: @escaping @Sendable (inout Result, Bytes) -> Void
    ) async throws(SockeyeError) -> Result {
        let result = LockedValue(initial)
        try await read(for: purpose) { piece in result.value.withLock { update(&$0, piece) } }
        return result.value.withLock { $0 }
    }

    /// Reads the content from start to end, without trailers.
    ///
    /// - Parameter take: Receives a piece. If it throws, reading ends.
    private func read(
        for purpose: String, _ take: @escaping @Sendable (Bytes) throws(SockeyeError) -> Void
    ) async throws(SockeyeError) {
        let sink = ReadingSink(take)
        do {
            try await produceExactly(into: sink, as: "the content")
            // Many sequences, such as `AsyncStream`, end without an error when their task is cancelled. Without this
            // check the truncated content would count as complete.
            try Task.checkCancellation()
        } catch {
            // The producer may have replaced the sink's error with another one.
            throw sink.failure
                ?? .producerFailed("the content could not be read for \(purpose)", error, phase: .prepare)
        }
        if let failure = sink.failure { throw failure }
    }
}

/// A body sink that passes pieces to a closure until the closure throws.
private final class ReadingSink: BodySink {
    private let take: @Sendable (Bytes) throws(SockeyeError) -> Void
    private let thrown = Mutex<SockeyeError?>(nil)

    init(_ take: @escaping @Sendable (Bytes) throws(SockeyeError) -> Void) {
        self.take = take
    }

    /// The error that the closure has thrown.
    var failure: SockeyeError? { thrown.withLock { $0 } }

    func write<Chunk: Collection<UInt8> & Sendable>(_ chunk: Chunk) async throws(SockeyeError) {
        if let failure { throw failure }
        let bytes = (chunk as? Bytes) ?? Bytes(chunk)
        guard !bytes.isEmpty else { return }
        do throws(SockeyeError) {
            try take(bytes)
        } catch {
            thrown.withLock { $0 = error }
            throw error
        }
    }
}

/// A value behind a lock, shared by closures.
private final class LockedValue<Value>: Sendable {
    let value: Mutex<Value>

    init(_ value: sending Value) { self.value = Mutex(value) }
}

extension SockeyeError {
    fileprivate static func contentTooLarge(limit: Int, seen: Int) -> SockeyeError {
        var fields = Fields(
            .limitExceeded, phase: .prepare, blame: .policy,
            message: "the content of the request exceeds the limit of collectBody(upTo:)")
        fields.limit = Limit("collectBody(upTo:)", configured: "\(limit) bytes", seen: "\(seen) bytes")
        return SockeyeError(fields)
    }
}
