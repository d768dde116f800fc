/// Where a task stands.
public enum TransferState: String, Sendable, Hashable {
    /// It waits for its turn: for tasks that it depends on, or because as many run as may.
    case waiting
    /// It runs.
    case running
    /// It was paused.
    case paused
    /// It was cancelled, and has not ended yet.
    case cancelling
    /// It has ended, in one way or another.
    case ended
}
