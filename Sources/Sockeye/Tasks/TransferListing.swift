public import SockeyeEngine

/// A task in a list, whatever its value.
public protocol TransferListing: Actor {
    /// Different for each task of the process.
    nonisolated var id: UInt64 { get }
    /// What the task is for.
    nonisolated var kind: TransferKind { get }
    /// The request as it was made.
    nonisolated var request: OutgoingRequest { get }
    /// Whatever the caller wanted to know again.
    nonisolated var userInfo: [String: any Sendable] { get }
    /// Where the task stands.
    var state: TransferState { get }
    /// How far it has come.
    nonisolated var progress: ProgressUpdates { get }
    /// Lets the transfer rest.
    func pause()
    /// Lets a paused transfer go on.
    func resume()
    /// Ends the task.
    func cancel()
    /// Changes the priority.
    func setPriority(_ priority: TransferPriority)
}

extension TransferTask: TransferListing {}
