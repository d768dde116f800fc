import HTTPTypes
import SockeyeCore
import SockeyeEngine
import Synchronization

/// A tee: hands a body on to its reader and writes it down, at the reader's pace.
///
/// ```
/// writing ──► committed at the end of the body
///    ├──────► abandoned by an error of either side, or when it is let go before its end
///    └──────► read on in the background, where that is wanted
/// ```
final class StoringSource: BodySource {
    private let upstream: any BodySource
    private let writer: Mutex<(any CacheWriter)?>
    private let finishes: Bool
    /// What was here before the rest went through this, and is not written yet.
    private let first = Mutex(Bytes())
    /// Whether a piece is being fetched: whoever ends that has ended the connection, too.
    private let isFetching = Mutex(false)

    init(_ upstream: any BodySource, to writer: any CacheWriter, finishes: Bool) {
        self.upstream = upstream
        self.writer = Mutex(writer)
        self.finishes = finishes
    }

    deinit {
        guard let writer = writer.withLock({ $0.take() }) else { return }
        guard finishes, !isFetching.withLock(\.self) else { return writer.abandon() }
        let upstream = upstream
        let first = first.withLock(\.self)
        Task { await Self.store(upstream, behind: first, to: writer) }
    }

    /// Takes what of the body was here before. Only before it is read.
    func begin(with bytes: Bytes) {
        first.withLock { $0 = bytes }
    }

    var trailers: HTTPFields? { upstream.trailers }

    func next() async throws(SockeyeError) -> Bytes? {
        isFetching.withLock { $0 = true }
        let piece: Bytes?
        do throws(SockeyeError) {
            piece = try await upstream.next()
        } catch {
            writer.withLock { $0.take() }?.abandon()
            throw error
        }
        isFetching.withLock { $0 = false }
        guard let writer = writer.withLock(\.self) else { return piece }
        do {
            let first = first.withLock { first in
                defer { first = Bytes() }
                return first
            }
            if !first.isEmpty { try await writer.write(first) }
            if let piece {
                try await writer.write(piece)
            } else {
                // Asynchronous sequences of others end where their task is cancelled, and that is not all of it.
                try Task.checkCancellation()
                self.writer.withLock { $0 = nil }
                try await writer.commit()
            }
        } catch {
            self.writer.withLock { $0 = nil }
            writer.abandon()
        }
        return piece
    }

    /// Writes down what is left of a body.
    private static func store(_ source: any BodySource, behind first: Bytes, to writer: any CacheWriter) async {
        do {
            if !first.isEmpty { try await writer.write(first) }
            while let piece = try await source.next() { try await writer.write(piece) }
            try await writer.commit()
        } catch {
            writer.abandon()
        }
    }
}

extension IncomingResponse {
    /// Has the content written down while it is read; at once where all of it is here.
    func store(by writer: any CacheWriter, finishes: Bool) async {
        var tee: StoringSource?
        let count = wrapSource { source in
            let storing = StoringSource(source, to: writer, finishes: finishes)
            tee = storing
            return storing
        }
        let first = count > 0 ? head.reader.start : Bytes()
        if let tee { return tee.begin(with: first) }
        do {
            if !first.isEmpty { try await writer.write(first) }
            try await writer.commit()
        } catch {
            writer.abandon()
        }
    }

    /// Whether reading it stores it.
    var isBeingStored: Bool { head.reader.unread is StoringSource }
}
