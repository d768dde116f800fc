import SockeyeCore
import SockeyeHTTP
import SockeyeNet

/// Both halves of an exchange and the machine that judges it. Moves as a whole from the task that awaits the head to
/// the body source.
struct ExchangeState: Sendable {
    var machine: ExchangeMachine
    var responseReader: ResponseReader
    var upload: Upload?
    /// The write that failed while the head or a small body was sent; the answer may be there all the same.
    var sendFailure: TransportError?
    /// Whether no byte of the request was taken.
    var isUnsent = false

    /// Tells the machine what the sending task has come to.
    mutating func noteUpload() {
        switch upload?.status {
        case nil, .running: break
        case .finished: machine.uploadFinished()
        case .stopped: machine.uploadStopped()
        case .failed, .broken: machine.uploadFailed()
        }
    }

    /// The caller's own failure in the upload, which explains whatever the reading half ran into.
    var uploadError: SockeyeError? {
        if case .failed(let error) = upload?.status { error } else { nil }
    }

    /// Whether what fails before the answer fails in sending or in waiting for the answer.
    var phase: SockeyeError.Phase {
        guard responseReader.received == 0 else { return .head }
        switch upload?.status {
        case .running, .broken: return .send
        case nil, .finished, .stopped, .failed: return sendFailure == nil ? .head : .send
        }
    }

    /// What becomes of the connection, the response being complete.
    mutating func finishResponse() -> ConnectionVerdict {
        noteUpload()
        machine.responseBodyFinished(surplusBytes: responseReader.surplus.count)
        if responseReader.isEnded { try? machine.endOfStream() }
        return machine.verdict
    }
}
