import SockeyeCore
import SockeyeEngine
import Synchronization

/// Writes to one file in the background: a disk thread writes the appended bytes in order while the caller fetches
/// more.
///
/// Bytes that arrive during a write are written together afterwards, so that a fast source causes few thread switches.
/// If ``limit`` bytes or ``mostPieces`` pieces are waiting, the caller waits.
final class FileWriter: Sendable {
    private struct State {
        var queue: [Bytes] = []
        /// The number of appended bytes that are not yet written.
        var pending = 0
        /// The end of the written bytes in the file.
        var position: Int
        var isWriting = false
        /// True if the queued bytes are to be discarded.
        var isDropped = false
        var failure: FileError?
        /// The event for the end of the running write; nil if no caller waits for it.
        var turn: OneShotEvent?
    }

    /// The closure that receives the progress; see ``reporting(on:_:)``.
    private struct Report {
        let closure: @Sendable (Int) -> Void
        /// The threads that call it; nil for the writing thread.
        let threads: ThreadPool?
    }

    private static let limit = 512 << 10
    /// The maximum number of waiting pieces. It is small, because even a short piece may keep a whole receive buffer
    /// alive.
    private static let mostPieces = 8

    private let temporaryFile: TemporaryFile
    private let state: Mutex<State>
    private let report = Mutex<Report?>(nil)
    /// True after ``closeAtOnce(dropping:)``: nothing is reported any more.
    private let isSilent = Atomic(false)

    init(_ temporaryFile: TemporaryFile) {
        self.temporaryFile = temporaryFile
        state = Mutex(State(position: temporaryFile.initialCount))
    }

    /// The end of the written bytes in the file.
    var written: Int { state.withLock(\.position) }

    /// True if appended bytes are not yet written and no write has failed. The disk thread writes these bytes even if
    /// the task that appended them is cancelled.
    var hasPendingBytes: Bool { state.withLock { $0.pending > 0 && $0.failure == nil } }

    /// Calls `report` with ``written`` after each write, until ``close(dropping:)``. The next write begins after
    /// `report` has returned.
    ///
    /// - Parameter threads: The threads for the calls; nil for the writing thread. A closure of the application needs
    ///   threads of its own: it may block, and all transfers to the same file system share the writing threads.
    func reporting(on threads: ThreadPool? = nil, _ report: @escaping @Sendable (Int) -> Void) {
        self.report.withLock { $0 = Report(closure: report, threads: threads) }
    }

    /// Appends bytes to the queue, and waits while it is full (backpressure).
    ///
    /// - Throws: The error of writing this or an earlier piece. The bytes before that piece are in the file.
    ///   ``FileFailure/cancelled`` if the task is cancelled while it waits; the queued bytes are still written.
    func append(_ bytes: Bytes) async throws(FileFailure) {
        let isIdle = state.withLock { state in
            guard state.failure == nil, !bytes.isEmpty else { return false }
            state.queue.append(bytes)
            state.pending += bytes.count
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isIdle { temporaryFile.disk.begin { self.writeQueue() } }
        try await wait { $0.pending < Self.limit && $0.queue.count < Self.mostPieces }
    }

    /// Waits until all appended bytes are written. Throws the same errors as ``append(_:)``.
    func flush() async throws(FileFailure) {
        try await wait { !$0.isWriting }
    }

    /// Sets the position of the next write. No write may be pending.
    func move(to position: Int) {
        state.withLock { $0.position = position }
    }

    /// Ends the reports of ``reporting(on:_:)`` and waits for a running one. Waiting bytes are still written, unless
    /// `dropping` is true.
    func close(dropping: Bool) {
        closeAtOnce(dropping: dropping)
        report.withLock { $0 = nil }
    }

    /// Does the same as ``close(dropping:)``, but does not wait for a running report, because the application's closure
    /// may be waiting for the current thread.
    func closeAtOnce(dropping: Bool) {
        if dropping { state.withLock { $0.isDropped = true } }
        isSilent.store(true, ordering: .releasing)
    }

    // MARK: The disk thread

    /// Writes the queue once, then gives up the thread, so that a long file does not occupy it.
    private func writeQueue() {
        let (pieces, start) = state.withLock { state in
            defer { state.queue = [] }
            return (state.isDropped ? [] : state.queue, state.position)
        }
        var position = start
        var failure: FileError?
        do throws(FileError) {
            for piece in pieces { try temporaryFile.write(piece, at: &position) }
        } catch {
            failure = error
        }
        state.withLock { state in
            state.position = position
            state.pending -= position - start
            state.failure = failure
        }
        guard position > start else { return finishTurn() }
        let end = position
        // If no thread is available, this thread calls the closure.
        guard let threads = report.withLock({ $0?.threads }), threads.begin({ self.finishTurn(reporting: end) }) == nil
        else { return finishTurn(reporting: end) }
    }

    private func finishTurn(reporting position: Int) {
        report.withLock { if !isSilent.load(ordering: .acquiring) { $0?.closure(position) } }
        finishTurn()
    }

    private func finishTurn() {
        let (goesOn, turn) = state.withLock { state in
            if state.failure != nil || state.isDropped { state.queue = [] }
            // A caller that waits for room need not wait for dropped pieces.
            if state.isDropped { state.pending = 0 }
            state.isWriting = !state.queue.isEmpty
            return (state.isWriting, state.turn.take())
        }
        turn?.happen()
        if goesOn { temporaryFile.disk.begin { self.writeQueue() } }
    }

    // MARK: Waiting

    private func wait(until isDue: (borrowing State) -> Bool) async throws(FileFailure) {
        while true {
            let (isOver, failure) = state.withLock { ($0.failure != nil || isDue($0), $0.failure) }
            if let failure { throw .system(failure) }
            if isOver { return }
            guard !Task.isCancelled else { throw .cancelled }
            await waitForTurn()
        }
    }

    /// Waits until the running write ends or the task is cancelled.
    private func waitForTurn() async {
        let turn = state.withLock { state -> OneShotEvent? in
            guard state.isWriting else { return nil }
            state.turn = state.turn ?? OneShotEvent()
            return state.turn
        }
        await turn?.wait()
    }
}
