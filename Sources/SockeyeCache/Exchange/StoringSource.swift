import SockeyeCore
import SockeyeEngine
import Synchronization

/// A tee: passes a body on to its reader and writes it to the store, at the reader's pace.
///
/// ```
/// writing ──► committed at the end of the body
///    ├──────► abandoned after an error of the source or the store, or by abandon(), for example if a retry
///    │        replaces the response
///    └──────► if released before the end: finished in the background if the policy says so and no piece is being
///             fetched, else abandoned
/// ```
final class StoringSource: BodySource {
    /// The ``CachedResponse/id`` of the response.
    let id: String
    private let upstream: any BodySource
    private let writer: Mutex<(any CachePolicy.Writer)?>
    private let finisher: BodyFinisher?
    private let deadline: StoreDeadline?
    /// The bytes that were received before this source was inserted, until they are written.
    private let first = Mutex(Bytes())
    /// True while a piece is being fetched. If this object is released during the fetch, the connection is closed, and
    /// the rest of the body cannot be read.
    private let isFetching = Mutex(false)

    init(
        _ upstream: any BodySource, to writer: any CachePolicy.Writer, id: String, finisher: BodyFinisher?,
        until deadline: StoreDeadline?
    ) {
        self.deadline = deadline
        self.upstream = upstream
        self.writer = Mutex(writer)
        self.id = id
        self.finisher = finisher
    }

    deinit {
        guard let writer = writer.withLock({ $0.take() }) else { return }
        guard let finisher, !isFetching.withLock(\.self) else { return writer.abandon() }
        finisher.finish(upstream, behind: first.withLock(\.self), to: writer)
    }

    /// True while the content is being written to the store.
    var isStoring: Bool { writer.withLock { $0 != nil } }

    /// Stops writing. The content can still be read.
    func abandon() {
        writer.withLock { $0.take() }?.abandon()
    }

    func abandonStoring() { abandon() }

    /// Sets the body bytes that were received before this source was inserted. Called only before the body is read.
    func begin(with bytes: Bytes) {
        first.withLock { $0 = bytes }
    }

    var trailers: Headers? { upstream.trailers }

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
            if !first.isEmpty { try await deadline.run { try await writer.write(first) } }
            if let piece {
                try await deadline.run { try await writer.write(piece) }
            } else {
                // Incomplete content must not be committed: the sequence of a custom transport may end early if the
                // task that reads it is cancelled.
                try Task.checkCancellation()
                self.writer.withLock { $0 = nil }
                try await deadline.run { try await writer.commit() }
            }
        } catch {
            self.writer.withLock { $0 = nil }
            writer.abandon()
        }
        return piece
    }
}

/// Reads and stores the rest of bodies that callers stopped reading, in the background.
struct BodyFinisher: Sendable {
    let call: Call
    let limits: CachePolicy.BackgroundLimits
    /// The deadline for the operations of the store; see ``CachePolicy/storeDeadline(in:)``. It excludes the total
    /// deadline of the call, because the work may continue after that.
    private let deadline: StoreDeadline?

    init(_ exchange: CacheExchange) {
        call = exchange.call
        limits = exchange.policy.background
        deadline = exchange.policy.storeDeadline(in: exchange.call.withoutDeadline.shared)
    }

    /// - Parameter first: The received bytes that are not written yet. The bytes of `source` follow them.
    func finish(_ source: any BodySource, behind first: Bytes, to writer: any CachePolicy.Writer) {
        let work = Work(writer)
        let (bytes, deadline) = (limits.bytes, deadline)
        call.inBackground(
            within: limits.duration,
            work: {
                guard let writer = work.takeWriter() else { return }
                await Self.store(source, behind: first, to: writer, upTo: bytes, until: deadline)
            }, ended: { _ in work.takeWriter()?.abandon() })
    }

    /// The store's writer, shared by the two closures `work` and `ended`. If the client has ended, only `ended` is
    /// called. The first closure that takes the writer commits or abandons it.
    private final class Work: Sendable {
        private let writer: Mutex<(any CachePolicy.Writer)?>

        init(_ writer: any CachePolicy.Writer) { self.writer = Mutex(writer) }

        func takeWriter() -> (any CachePolicy.Writer)? { writer.withLock { $0.take() } }
    }

    private struct TooLarge: Error {}

    static func store(
        _ source: any BodySource, behind first: Bytes, to writer: any CachePolicy.Writer, upTo limit: Int,
        until deadline: StoreDeadline? = nil
    ) async {
        do {
            if !first.isEmpty { try await deadline.run { try await writer.write(first) } }
            var (rest, turn) = (max(0, limit), TurnBudget())
            while let piece = try await source.next() {
                rest -= piece.count
                guard rest >= 0 else { throw TooLarge() }
                try await deadline.run { try await writer.write(piece) }
                guard turn.spend(piece.count) else { continue }
                try Task.checkCancellation()
                await Task.yield()
            }
            // A cancelled sequence may have ended early; see ``StoringSource/next()``.
            try Task.checkCancellation()
            try await deadline.run { try await writer.commit() }
        } catch {
            writer.abandon()
        }
    }
}

extension IncomingResponse {
    /// Stores the content while it is read, or at once if it was received completely. Stores nothing if reading has
    /// begun.
    ///
    /// - Parameters:
    ///   - finisher: Stores the rest if the caller stops reading; nil to store nothing in that case.
    ///   - deadline: The deadline for the operations of the store.
    func store(
        by writer: any CachePolicy.Writer, id: String, finisher: BodyFinisher?, until deadline: StoreDeadline? = nil
    ) async {
        var tee: StoringSource?
        let count = wrapSource { source in
            let storing = StoringSource(source, to: writer, id: id, finisher: finisher, until: deadline)
            tee = storing
            return storing
        }
        // The tee would miss the pieces that were read before.
        guard let count else { return writer.abandon() }
        let first = count > 0 ? head.reader.start : Bytes()
        if let tee { return tee.begin(with: first) }
        do {
            try await deadline.run {
                if !first.isEmpty { try await writer.write(first) }
                try await writer.commit()
            }
        } catch {
            writer.abandon()
        }
    }

    /// Reads the content to have it stored, up to `limit` bytes. Longer content is not stored.
    func readToStore(upTo limit: Int) async {
        guard let storing = storingSource else { return }
        var (rest, turn) = (max(0, limit), TurnBudget())
        if let length = body.expectedLength, length > rest { return storing.abandon() }
        do throws(SockeyeError) {
            // Stops early if the store refuses further content.
            var pieces = body.makeAsyncIterator()
            while storing.isStoring, let piece = try await pieces.next() {
                rest -= piece.count
                guard rest >= 0 else { break }
                guard turn.spend(piece.count) else { continue }
                if Task.isCancelled { break }
                await Task.yield()
            }
        } catch {
            // Ignored: this is a refresh in the background, and no caller waits for it. The stale response stays
            // stored, and the next request tries again to refresh it.
        }
        storing.abandon()
    }

    /// The source that stores the content while it is read; nil if the content is not stored, or if reading has begun.
    var storingSource: StoringSource? { head.reader.unread as? StoringSource }
}
