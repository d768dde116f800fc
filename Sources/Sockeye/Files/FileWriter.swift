import SockeyeCore
import SockeyeEngine
import Synchronization

/// Write-behind for one file: what is handed over is written in its order by a disk thread, while more of it is fetched.
///
/// What comes while a write goes on is written together afterwards, so that a fast source costs few changes of threads and a
/// slow one has each piece in the file at once. No more than ``limit`` waits: then whoever hands over does.
final class FileWriter: Sendable {
    private struct State {
        var queue: [Bytes] = []
        /// How many bytes were handed over and are not in the file.
        var pending = 0
        /// The end of what is in the file.
        var position: Int
        var isWriting = false
        /// Whether what waits is of no use any more.
        var isDropped = false
        var failure: FileError?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private static let limit = 512 << 10
    /// A piece of any size may keep a whole block of received bytes alive.
    private static let mostPieces = 8

    private let temporaryFile: TemporaryFile
    private let state: Mutex<State>
    private let report = Mutex<(@Sendable (Int) -> Void)?>(nil)

    init(_ temporaryFile: TemporaryFile) {
        self.temporaryFile = temporaryFile
        state = Mutex(State(position: temporaryFile.initialCount))
    }

    /// The end of what is in the file.
    var written: Int { state.withLock(\.position) }

    /// Has `report` told the end of what is in the file after each write, by the thread that wrote, until ``close(dropping:)``.
    func reporting(_ report: (@Sendable (Int) -> Void)?) {
        self.report.withLock { $0 = report }
    }

    /// Appends bytes to the queue, and waits while it is full (backpressure).
    ///
    /// - Throws: Why this or an earlier piece could not be written; what came before it is in the file.
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

    /// Waits until all is in the file.
    func flush() async throws(FileFailure) {
        try await wait { !$0.isWriting }
    }

    /// Goes on behind another position. Nothing may be on its way.
    func move(to position: Int) {
        state.withLock { $0.position = position }
    }

    /// Tells nothing from now on; what waits is written all the same, unless it is of no use.
    func close(dropping: Bool) {
        if dropping { state.withLock { $0.isDropped = true } }
        reporting(nil)
    }

    // MARK: The disk thread

    /// One turn, so that a file that never ends does not have a thread to itself.
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
        report.withLock { if position > start { $0?(position) } }
        finishTurn()
    }

    private func finishTurn() {
        let (goesOn, waiter) = state.withLock { state in
            if state.failure != nil || state.isDropped { state.queue = [] }
            state.isWriting = !state.queue.isEmpty
            defer { state.waiter = nil }
            return (state.isWriting, state.waiter)
        }
        waiter?.resume()
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

    /// Waits for the end of the turn that a thread is in, or the cancellation of the task.
    private func waitForTurn() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    guard state.isWriting, !Task.isCancelled else { return true }
                    state.waiter = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }?.resume()
        }
    }
}
