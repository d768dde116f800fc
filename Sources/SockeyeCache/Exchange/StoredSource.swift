import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import Synchronization

/// The body of a response served from the cache: slices of the stored pieces, in order.
final class StoredPiecesSource: BodySource {
    private let rest: Mutex<ArraySlice<Bytes>>

    init(_ pieces: ArraySlice<Bytes>) {
        rest = Mutex(pieces)
    }

    var trailers: Headers? { nil }

    func next() async throws(SockeyeError) -> Bytes? {
        rest.withLock { $0.popFirst() }
    }
}

/// The body of a response served from the cache, as a stream from the store. An actor, because the iterator is not
/// `Sendable` and each read may run in a task of its own.
actor StoredStreamSource: BodySource {
    private var iterator: any AsyncIteratorProtocol<Bytes, any Error>
    private var missing: Int
    private let deadline: StoreDeadline?

    init(_ stream: any AsyncSequence<Bytes, any Error> & Sendable, count: Int, until deadline: StoreDeadline? = nil) {
        iterator = stream.makeAsyncIterator()
        missing = count
        self.deadline = deadline
    }

    nonisolated var trailers: Headers? { nil }

    func next() async throws(SockeyeError) -> Bytes? {
        do {
            guard let deadline else { return try await fetch() }
            return try await deadline.run { try await self.fetch() }
        } catch {
            throw error as? SockeyeError ?? Self.damaged(error)
        }
    }

    private func fetch() async throws -> Bytes? {
        var iterator = iterator
        defer { self.iterator = iterator }
        while let piece = try await iterator.next(isolation: self) {
            guard piece.count <= missing else { throw Self.damaged(nil) }
            missing -= piece.count
            if !piece.isEmpty { return piece }
        }
        guard missing == 0 else { throw Self.damaged(nil) }
        return nil
    }

    private static func damaged(_ cause: (any Error)?) -> SockeyeError {
        var fields = SockeyeError.Fields(
            cause is CancellationError ? .cancelled : .connectionClosed, phase: .body, blame: .disk,
            message: "the cache store could not deliver the complete content of the stored response")
        fields.underlying = cause
        return SockeyeError(fields)
    }
}

extension CachedResponse.Body {
    /// Returns the part of the content within `range`. Nil if the range ends after `length`, or if the stored pieces
    /// have another total length. The length of a stream is checked while the stream is read.
    ///
    /// - Parameters:
    ///   - length: The expected length of the whole content.
    ///   - deadline: The deadline for reading streamed content.
    func content(_ range: Range<Int>, of length: Int, until deadline: StoreDeadline?) -> BodyContent? {
        guard range.upperBound <= length else { return nil }
        switch self {
        case .pieces(let pieces):
            if pieces.count == 1, pieces[0].count == length {
                return BodyContent(first: pieces[0].slice(range), expectedLength: range.count)
            }
            guard pieces.reduce(0, { $0 + $1.count }) == length else { return nil }
            let slices = Self.slices(of: pieces, range)
            let rest = slices.dropFirst()
            return BodyContent(
                first: slices.first ?? Bytes(), source: rest.isEmpty ? nil : StoredPiecesSource(rest),
                expectedLength: range.count)
        case .stream(let open):
            let source = StoredStreamSource(open(range), count: range.count, until: deadline)
            return BodyContent(source: source, expectedLength: range.count)
        }
    }

    private static func slices(of pieces: [Bytes], _ range: Range<Int>) -> [Bytes] {
        var slices: [Bytes] = []
        var start = 0
        for piece in pieces {
            let part = range.clamped(to: start..<start + piece.count)
            if !part.isEmpty { slices.append(piece.slice(part.lowerBound - start..<part.upperBound - start)) }
            start += piece.count
        }
        return slices
    }
}
