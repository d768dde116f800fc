import SockeyeEngine
import Synchronization

/// The progress of the parts of one download, shared by the tasks that fetch them and the threads that write them.
final class PartProgress: Sendable {
    private struct State {
        /// For each part, the end of its written bytes.
        var written: [Int]
        /// The position at which the reader of the first response stops. The body of this response is the whole
        /// content, but other requests fetch the later parts, so the reader stops at the end of the first part. After
        /// ``PartProgress/abandon()`` it reads to the end of the content.
        var limit: Int
        var isAbandoned = false
        var interruptions = 0
        var resumeData: ResumeData?
        var onEvent: @Sendable (DownloadEvent) -> Void = { _ in }
    }

    /// The ranges of the parts, in order and without gaps.
    let parts: [Range<Int>]
    let total: Int
    private let state: Mutex<State>

    init(_ parts: [Range<Int>]) {
        self.parts = parts
        total = parts.last?.upperBound ?? 0
        state = Mutex(State(written: parts.map(\.lowerBound), limit: parts.first?.upperBound ?? 0))
    }

    /// Reports events to `onEvent` from now on, one at a time.
    ///
    /// - Parameter resumeData: The resume data of the download; nil if it must not be reported. Whenever the
    ///   number of bytes up to the first gap has grown, the resume data is reported with that number.
    func report(_ resumeData: ResumeData?, to onEvent: @escaping @Sendable (DownloadEvent) -> Void) {
        state.withLock { state in
            state.resumeData = resumeData
            state.onEvent = onEvent
        }
    }

    /// Records that the bytes of a part are written up to a position.
    func recordWrite(_ part: Int, upTo position: Int) {
        state.withLock { state in
            let before = contiguous(state)
            state.written[part] = position
            let completed = zip(parts, state.written).reduce(0) { $0 + $1.1 - $1.0.lowerBound }
            state.onEvent(.progress(completed: min(completed, total), total: total))
            let after = contiguous(state)
            guard after > before, let data = state.resumeData else { return }
            state.onEvent(.resumable(data.with(bytesWritten: after)))
        }
    }

    /// Reports the response to a request for a part.
    func received(_ response: IncomingResponse) {
        state.withLock { $0.onEvent(.part(response)) }
    }

    /// The number of bytes up to the first gap. Another download can continue only from this position.
    var contiguous: Int { state.withLock { contiguous($0) } }

    private func contiguous(_ state: borrowing State) -> Int {
        var end = 0
        for (part, written) in zip(parts, state.written) {
            guard part.lowerBound <= end else { return end }
            end = max(end, written)
        }
        return end
    }

    var limit: Int { state.withLock(\.limit) }
    var isAbandoned: Bool { state.withLock(\.isAbandoned) }
    var interruptions: Int { state.withLock(\.interruptions) }

    func countInterruption() {
        state.withLock { $0.interruptions += 1 }
    }

    /// Gives up the parts after the first one. If a task is still reading the first response, that task then reads to
    /// the end of the response. The writers of the other parts must have stopped before this call.
    func abandon() {
        state.withLock { state in
            state.isAbandoned = true
            state.limit = total
            for index in parts.indices.dropFirst() { state.written[index] = parts[index].lowerBound }
        }
    }
}
