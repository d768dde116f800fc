public import SockeyeEngine

extension HTTPClient {
    /// The tasks of the client and all its scopes (clients made from it with `scoped`).
    public var transfers: Transfers { Transfers(registry: scope.tasks, monitors: scope.settings.monitors) }

    /// The tasks that a client and all its scopes started with ``dataTask(_:_:_:query:headers:options:as:)``,
    /// ``uploadTask(_:_:_:query:headers:options:as:)``, ``download(_:to:query:headers:options:)`` and
    /// ``download(resuming:to:headers:options:)``.
    public struct Transfers: Sendable {
        let registry: TransferRegistry
        let monitors: [any EventMonitor]

        /// Returns the tasks that have not ended, the oldest first, by ``TransferTask/id``.
        ///
        /// - Parameter kind: The kind of tasks to return. Default: nil, all kinds.
        public func all(_ kind: TransferKind? = nil) -> [any TransferListing] {
            registry.tasks.filter { kind == nil || $0.kind == kind }.compactMap { $0 as? any TransferListing }
        }

        /// Cancels all tasks. No waiting task starts in the place of a cancelled one.
        public func cancelAll() async {
            _ = await registry.cancelAll()
        }

        /// Sets the number of tasks that may run at a time, at least 1; nil for no limit. See
        /// ``/Sockeye/ClientConfiguration/runningTasks``.
        public func limitRunning(to limit: Int?) {
            registry.setLimit(limit.map { max(1, $0) })
        }

        /// Rejects new tasks, and returns when all existing ones have ended. The counterpart of AFNetworking's
        /// `invalidateSessionCancelingTasks:`.
        ///
        /// Requests that were sent without a task continue; ``/Sockeye/HTTPClient/shutDown(graceful:within:)`` ends
        /// them. If the calling Swift task is cancelled, this method returns without waiting for the tasks.
        ///
        /// - Parameter cancelling: True to cancel the existing tasks; false, the default, to let them finish.
        public func invalidate(cancelling: Bool = false) async {
            registry.invalidate()
            let tasks = cancelling ? await registry.cancelAll() : registry.tasks
            for task in tasks { await task.waitUntilEnded() }
            monitors.tell(.tasksInvalidated, .tasksInvalidated)
        }
    }
}

/// A ``TransferTask`` regardless of the type of its value, so that a list can contain tasks of different types.
///
/// Only ``TransferTask`` conforms to this protocol. A minor version may add requirements without a default.
public protocol TransferListing: Actor {
    /// A number that is unique among the tasks of the process.
    nonisolated var id: UInt64 { get }
    /// The purpose of the task.
    nonisolated var kind: TransferKind { get }
    /// The request as the caller made it.
    nonisolated var request: OutgoingRequest { get }
    /// The values that the caller attached to the task; see ``/Sockeye/OutgoingRequest/Options/context``.
    nonisolated var context: OutgoingRequest.Context { get }
    /// The state of the task.
    var state: TransferState { get }
    /// The progress of the task.
    nonisolated var progress: TransferProgress.Updates { get }
    /// Pauses the task.
    func pause()
    /// Resumes a paused task.
    func resume()
    /// Cancels the task.
    func cancel()
    /// Changes the priority.
    func setPriority(_ priority: TransferPriority)
}

extension TransferTask: TransferListing {}
