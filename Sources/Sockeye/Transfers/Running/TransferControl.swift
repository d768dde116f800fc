import SockeyeEngine
import Synchronization

/// The state that a task shares with its exchanges: the pause gate, progress, response and resume data.
final class TransferControl: Sendable {
    private struct State {
        var response: IncomingResponse?
        var resumeData: ResumeData?
        var destination: String?
        var whenPaused: (@Sendable () -> Void)?
        var pauses = 0
    }

    /// The ``TransferTask/id`` of the task that makes the calls of the current Swift task; nil of calls of their own, and where
    /// there are no monitors.
    @TaskLocal static var runningTask: UInt64?

    /// The ``TransferTask/id`` of the task.
    let id: UInt64
    let kind: TransferKind
    /// The request as it was made.
    let request: OutgoingRequest
    let gate = TransferGate()
    let upload: ProgressChannel
    let download: ProgressChannel
    private let state = Mutex(State())

    /// - Parameter resumeData: What the task goes on with, where it is not the first.
    init(
        _ id: UInt64, _ kind: TransferKind, _ request: OutgoingRequest,
        timer: ProgressTimer, resuming resumeData: ResumeData? = nil
    ) {
        self.id = id
        self.kind = kind
        self.request = request
        upload = ProgressChannel(timer: timer)
        download = ProgressChannel(timer: timer)
        guard let resumeData else { return }
        state.withLock { $0.resumeData = resumeData }
        download.skip(to: resumeData.bytesWritten, of: resumeData.totalBytes)
    }

    /// The response whose content is received, or was.
    var response: IncomingResponse? { state.withLock(\.response) }

    func received(_ response: IncomingResponse) {
        state.withLock { $0.response = response }
    }

    /// What resuming takes, of a download that can be resumed.
    var resumeData: ResumeData? { state.withLock(\.resumeData) }

    func canResume(with resumeData: ResumeData?) {
        state.withLock { $0.resumeData = resumeData }
    }

    /// The path of a download's destination, once that is known.
    var destination: String? { state.withLock(\.destination) }

    func decided(on destination: String) {
        state.withLock { $0.destination = destination }
    }

    /// Sets what else a pause does; it is done at once if the task is paused already.
    func whenPaused(_ action: (@Sendable () -> Void)?) {
        state.withLock { $0.whenPaused = action }
        if gate.isShut { action?() }
    }

    func pause() {
        gate.shut()
        let action = state.withLock { state in
            state.pauses += 1
            return state.whenPaused
        }
        action?()
    }

    /// How often the task was paused so far. A pause may be over before what it ended has come to its end.
    var pauses: Int { state.withLock(\.pauses) }

    func end() {
        upload.end()
        download.end()
    }
}
