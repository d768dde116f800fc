/// A wait that has ended with what it was for, and whose task is to be told.
@safe struct EndedWait: Sendable {
    private let continuation: UnsafeContinuation<WaitPoint.Wake, Never>
    /// Whether a task of the pool may tell it (``Relay``) instead of the poller's thread: not if it goes on there itself.
    let mayBeRelayed: Bool

    init(continuation: UnsafeContinuation<WaitPoint.Wake, Never>, mayBeRelayed: Bool) {
        unsafe self.continuation = unsafe continuation
        self.mayBeRelayed = mayBeRelayed
    }

    /// To be called once.
    func resume() { unsafe continuation.resume(returning: .ready) }
}
