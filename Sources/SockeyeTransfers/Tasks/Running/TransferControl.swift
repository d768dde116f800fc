import SockeyeCore
import SockeyeEngine
import Synchronization

/// The state that a task shares with its exchanges: the pause gate, progress, response and resume data.
final class TransferControl: Sendable {
    private struct State {
        var response: IncomingResponse?
        var resumeData: ResumeData?
        var destination: String?
        var whenPaused: (@Sendable () -> Void)?
    }

    /// The ``TransferTask/id`` of the task.
    let id: UInt64
    let kind: TransferKind
    /// The request as the caller made it.
    let request: OutgoingRequest
    let gate: TransferGate
    let upload: ProgressChannel
    let download: ProgressChannel
    private let state = Mutex(State())

    init(
        _ id: UInt64, _ kind: TransferKind, _ request: OutgoingRequest,
        time: TimeSource, timer: ProgressTimer, resuming resumeData: ResumeData? = nil
    ) {
        self.id = id
        gate = TransferGate(time: time)
        self.kind = kind
        self.request = request
        upload = ProgressChannel(timer: timer)
        download = ProgressChannel(timer: timer)
        guard let resumeData else { return }
        state.withLock { $0.resumeData = resumeData }
        download.skip(to: resumeData.bytesWritten, of: resumeData.totalBytes)
    }

    /// The latest response; nil before the first response.
    var response: IncomingResponse? { state.withLock(\.response) }

    func received(_ response: IncomingResponse) {
        state.withLock { $0.response = response }
    }

    /// The state for continuing a download; nil if it cannot be resumed.
    var resumeData: ResumeData? { state.withLock(\.resumeData) }

    /// Sets the state for continuing. If the task is already paused, the action of ``whenPaused(_:)`` runs again,
    /// because the action depends on this state.
    func canResume(with resumeData: ResumeData?) {
        let action = state.withLock { state in
            state.resumeData = resumeData
            return state.whenPaused
        }
        if gate.isShut { action?() }
    }

    /// The path of a download's destination; nil until it is known.
    var destination: String? { state.withLock(\.destination) }

    func decided(on destination: String) {
        state.withLock { $0.destination = destination }
    }

    /// Sets the action that each pause runs after it has shut the gate; nil for no action. If the task is already
    /// paused, the action runs at once.
    func whenPaused(_ action: (@Sendable () -> Void)?) {
        state.withLock { $0.whenPaused = action }
        if gate.isShut { action?() }
    }

    func pause() {
        gate.shut()
        state.withLock { $0.whenPaused }?()
    }

    func end() {
        upload.end()
        download.end()
    }
}
