import Synchronization

/// What a task shares with the exchanges that work for it: whether bytes may move, how many did, and the response.
package final class TransferControl: Sendable {
    let gate = TransferGate()
    let upload: ProgressBoard
    let download: ProgressBoard
    private let latest = Mutex<Response?>(nil)

    init(clock: CallClock) {
        upload = ProgressBoard(clock: clock)
        download = ProgressBoard(clock: clock)
    }

    /// The response whose content is received, or was.
    var response: Response? { latest.withLock { $0 } }

    func received(_ response: Response) {
        latest.withLock { $0 = response }
    }

    func end() {
        upload.end()
        download.end()
    }
}
