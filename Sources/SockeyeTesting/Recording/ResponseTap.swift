import Sockeye
import SockeyeCore
import SockeyeEngine
import SockeyeNet
import Synchronization

/// Reads a response body once for two consumers: the caller receives every piece, and the recorder keeps a copy. The
/// recorder reads the part that the caller leaves unread.
final class ResponseTap: Sendable {
    /// The recorded content.
    struct Content: Sendable {
        var body: [UInt8] = []
        /// The lengths of the pieces in which the body arrived.
        var pieces: [Int] = []
        var trailers: Headers?
        /// The error that ended the body, unless it was a cancellation.
        var failure: SockeyeError?
        /// False if the body has ended, either completely or with an error other than a cancellation.
        var isCut = true
        /// True if the body exceeds the limit; then no further pieces are kept.
        var isTooLarge = false
    }

    private struct State {
        var content = Content()
        /// Pieces that the recorder has read and the caller has not requested yet.
        var ahead: [Bytes] = []
        /// True once a task has claimed the content to pass it to ``conclude``.
        var isConcluded = false
        /// The success or the error with which the body ended; nil before its end.
        var end: Result<Void, SockeyeError>?
        /// The task that reads the part that the caller leaves unread; nil until ``drain()``.
        var drainer: Task<Void, Never>?
    }

    private let upstream: ResponseStorage
    /// False if another reader had claimed the body before this tap was created; then each read fails.
    private let isUnread: Bool
    private let limit: Int
    /// The longest time that ``drain()`` waits for the rest of a body.
    private let drainTime: Duration
    private let conclude: @Sendable (Content) -> Void
    private let state = Mutex(State())
    /// True while a task reads from `upstream`.
    private let isReading = ConditionVariable(false)
    /// True once ``conclude`` has returned.
    private let isRecorded = ConditionVariable(false)

    init(
        _ upstream: ResponseStorage, limit: Int, drainTime: Duration = .seconds(5),
        conclude: @escaping @Sendable (Content) -> Void
    ) {
        self.upstream = upstream
        self.limit = limit
        self.drainTime = drainTime
        self.conclude = conclude
        isUnread = upstream.reader.begin()
    }

    var trailers: Headers? { upstream.reader.trailers }

    func next() async throws(SockeyeError) -> Bytes? {
        while true {
            if let piece = takeAhead() { return piece }
            if let piece = try await read(ahead: false) { return piece.value }
        }
    }

    private func takeAhead() -> Bytes? {
        state.withLock { $0.ahead.isEmpty ? nil : $0.ahead.removeFirst() }
    }

    private struct Piece {
        /// The bytes; nil at the end of the body.
        let value: Bytes?
    }

    /// Reads a piece, or the end of the body. If another task is reading, waits for that read and returns nil. This
    /// wait needs no limit of its own, because the deadlines of the exchange limit the other task's read.
    ///
    /// - Parameter ahead: True to keep the piece for the caller.
    private func read(ahead: Bool) async throws(SockeyeError) -> Piece? {
        var isFirst = false
        isReading.update { isReading in
            isFirst = !isReading
            isReading = true
        }
        guard isFirst else {
            do {
                _ = try await isReading.wait(for: "the recorder", timeout: nil) { !$0 }
            } catch {
                throw SockeyeError(.outOfResources, wrapping: error, "cannot wait for the recorder", phase: .body)
            }
            return nil
        }
        defer { isReading.update { $0 = false } }
        // The recorder may have read a piece after this caller looked for one.
        if !ahead, let piece = takeAhead() { return Piece(value: piece) }
        let piece = try await fetch()
        if ahead, let piece { state.withLock { $0.ahead.append(piece) } }
        return Piece(value: piece)
    }

    private func fetch() async throws(SockeyeError) -> Bytes? {
        if let end = state.withLock({ $0.end }) {
            try end.get()
            return nil
        }
        do throws(SockeyeError) {
            guard isUnread else { throw BodyReader.consumed }
            let piece = try await upstream.reader.next()
            if let piece {
                note(piece)
            } else {
                state.withLock { $0.end = .success(()) }
                finish { $0.isCut = false }
            }
            return piece
        } catch {
            state.withLock { $0.end = .failure(error) }
            finish { content in
                content.isCut = error.code == .cancelled
                content.failure = content.isCut ? nil : error
            }
            throw error
        }
    }

    private func note(_ piece: Bytes) {
        state.withLock { state in
            guard !state.isConcluded, !state.content.isTooLarge else { return }
            state.content.isTooLarge = state.content.body.count + piece.count > limit
            guard !state.content.isTooLarge else { return }
            state.content.body.append(contentsOf: piece)
            state.content.pieces.append(piece.count)
        }
    }

    private func finish(_ change: (inout Content) -> Void) {
        let content: Content? = state.withLock { state in
            guard !state.isConcluded else { return nil }
            state.isConcluded = true
            change(&state.content)
            state.content.trailers = upstream.reader.trailers
            return state.content
        }
        guard let content else { return }
        conclude(content)
        isRecorded.update { $0 = true }
    }

    // MARK: Unread rest

    /// Reads the rest of the body up to the limit, and keeps it for the caller. Returns once the content is recorded,
    /// by this task or another.
    ///
    /// After ``drainTime``, or if the calling task is cancelled, this method records the pieces that have arrived. A
    /// read in progress continues, because a cancelled read would end the body for the caller, too.
    func drain() async {
        state.withLock { state in
            guard state.drainer == nil, !state.isConcluded else { return }
            state.drainer = Task {
                try? await readRest()
                finish { _ in }
            }
        }
        await waitForRecord(drainTime)
        finish { _ in }
        // Another task may still be in `conclude`. This wait has no limit, because it does not depend on the peer.
        await waitForRecord(nil)
    }

    private func waitForRecord(_ timeout: Duration?) async {
        _ = try? await isRecorded.wait(for: "the recorder", timeout: timeout) { $0 }
    }

    private func readRest() async throws(SockeyeError) {
        while !state.withLock({ $0.isConcluded || $0.content.isTooLarge }) { _ = try await read(ahead: true) }
    }

    /// Ends a read that ``drain()`` left in progress. Called once the caller has dropped the body.
    func abandon() {
        state.withLock { $0.drainer }?.cancel()
    }
}

/// The body source through which the caller reads a response that is being recorded.
final class RecordingSource: BodySource {
    private let tap: ResponseTap

    init(_ tap: ResponseTap) {
        self.tap = tap
    }

    deinit {
        let tap = tap
        Task {
            await tap.drain()
            tap.abandon()
        }
    }

    var trailers: Headers? { tap.trailers }

    func next() async throws(SockeyeError) -> Bytes? { try await tap.next() }
}
