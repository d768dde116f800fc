import SockeyeEngine
import Synchronization

/// What the parts of one download have come to, shared by the tasks that fetch them and the threads that write them.
final class PartBoard: Sendable {
    private struct State {
        /// For each part the end of what is in the file.
        var written: [Int]
        /// Where the first answer, which is of the whole, is read to.
        var limit: Int
        var isAbandoned = false
        var interruptions = 0
        var resumeData: ResumeData?
        var onEvent: @Sendable (DownloadEvent) -> Void = { _ in }
    }

    /// In order, and together the whole.
    let parts: [Range<Int>]
    let total: Int
    private let state: Mutex<State>

    init(_ parts: [Range<Int>]) {
        self.parts = parts
        total = parts.last?.upperBound ?? 0
        state = Mutex(State(written: parts.map(\.lowerBound), limit: parts.first?.upperBound ?? 0))
    }

    /// Has events told from now on, one at a time.
    ///
    /// - Parameter resumeData: What resuming takes, but for how much is written.
    func report(_ resumeData: ResumeData?, to onEvent: @escaping @Sendable (DownloadEvent) -> Void) {
        state.withLock { state in
            state.resumeData = resumeData
            state.onEvent = onEvent
        }
    }

    /// The bytes of a part are in the file up to a position.
    func wrote(_ part: Int, upTo position: Int) {
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

    /// The answer to a request for a part has come.
    func received(_ response: IncomingResponse) {
        state.withLock { $0.onEvent(.part(response)) }
    }

    /// How many bytes there are without a gap, from the first one on: the only ones that another download can go on with.
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

    func noteInterruption() {
        state.withLock { $0.interruptions += 1 }
    }

    /// The server does not serve parts after all: the first answer is read on, if it still is. Nobody may write the others
    /// any more.
    func abandon() {
        state.withLock { state in
            state.isAbandoned = true
            state.limit = total
            for index in parts.indices.dropFirst() { state.written[index] = parts[index].lowerBound }
        }
    }
}
