public import SockeyeEngine

extension HTTPClient {
    /// The tasks of the client and all its scopes.
    public var transfers: Transfers { Transfers(registry: scope.settings.tasks, monitors: scope.settings.monitors) }

    /// The tasks of a client and all its scopes that ``dataTask(_:_:_:query:headers:options:as:)``,
    /// ``uploadTask(_:_:_:query:headers:options:as:)`` and ``download(_:to:query:headers:options:)`` began.
    public struct Transfers: Sendable {
        let registry: TransferRegistry
        let monitors: [any EventMonitor]

        /// The tasks that have not ended, the oldest first, by ``TransferTask/id``.
        ///
        /// - Parameter kind: Only those of this kind; nil, the default, for all.
        public func all(_ kind: TransferKind? = nil) -> [any TransferListing] {
            registry.tasks.filter { kind == nil || $0.kind == kind }.compactMap { $0 as? any TransferListing }
        }

        /// Cancels all of them.
        public func cancelAll() async {
            for task in registry.tasks { await task.cancel() }
        }

        /// How many may run at a time from now on, nil for any number; see ``ClientConfiguration/runningTasks``.
        public func limitRunning(to limit: Int?) {
            registry.setLimit(limit)
        }

        /// Takes no more tasks, and returns when those that there are have ended. The counterpart of AFNetworking's
        /// `invalidateSessionCancelingTasks:`.
        ///
        /// Calls that are no tasks go on working; ``HTTPClient/shutDown(graceful:within:)`` ends those.
        ///
        /// - Parameter cancelling: Whether the tasks are cancelled instead of being waited for.
        public func invalidate(cancelling: Bool = false) async {
            let tasks = registry.invalidate()
            for task in tasks {
                if cancelling { await task.cancel() }
                await task.waitUntilEnded()
            }
            monitors.tell(.tasksInvalidated, .tasksInvalidated)
        }
    }
}

/// A task in a list, whatever its value.
///
/// ``TransferTask`` alone adopts it: a minor version may add requirements without a default.
public protocol TransferListing: Actor {
    /// Different for each task of the process.
    nonisolated var id: UInt64 { get }
    /// What the task is for.
    nonisolated var kind: TransferKind { get }
    /// The request as it was made.
    nonisolated var request: OutgoingRequest { get }
    /// The values that the caller has given the task; see ``OutgoingRequest/Options/context``.
    nonisolated var context: OutgoingRequest.Context { get }
    /// Where the task stands.
    var state: TransferState { get }
    /// How far it has come.
    nonisolated var progress: TransferProgress.Updates { get }
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
