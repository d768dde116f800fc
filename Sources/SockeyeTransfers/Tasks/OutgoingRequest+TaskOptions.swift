public import SockeyeEngine

// Options of tasks (`dataTask`, `uploadTask`, `download`). Other calls ignore them.
extension OutgoingRequest.Options {
    /// The rank of the task among the waiting tasks. Default: ``TransferPriority/standard``.
    public var priority: TransferPriority {
        get { further[PriorityKey.self] ?? .standard }
        set { further[PriorityKey.self] = newValue }
    }

    /// The IDs (``TransferTask/id``) of the tasks that must end, with any outcome, before this one starts. They may be
    /// tasks of other clients. Default: none. The counterpart of the dependencies of `NSOperation`.
    public var dependencies: [UInt64] {
        get { further[DependenciesKey.self] ?? [] }
        set { further[DependenciesKey.self] = newValue }
    }

    /// Returns options with this priority of the task.
    public static func priority(_ priority: TransferPriority) -> OutgoingRequest.Options {
        OutgoingRequest.Options().priority(priority)
    }

    /// Returns these options with this priority of the task.
    public func priority(_ priority: TransferPriority) -> OutgoingRequest.Options { with { $0.priority = priority } }

    /// Returns options for a task that starts after others have ended.
    ///
    /// ```swift
    /// let upload = try client.uploadTask(.put, "blob", .file(path))
    /// let check = try client.dataTask(
    ///     .get, "blob/state", options: .after(upload), as: .json(State.self))
    /// ```
    public static func after(_ tasks: any TransferListing...) -> OutgoingRequest.Options {
        OutgoingRequest.Options().with { $0.dependencies = tasks.map { $0.id } }
    }

    /// Returns these options with further tasks that must end before this one starts.
    public func after(_ tasks: any TransferListing...) -> OutgoingRequest.Options {
        with { $0.dependencies += tasks.map { $0.id } }
    }
}

package enum PriorityKey: OutgoingRequest.ContextKey { package typealias Value = TransferPriority }
package enum DependenciesKey: OutgoingRequest.ContextKey { package typealias Value = [UInt64] }
