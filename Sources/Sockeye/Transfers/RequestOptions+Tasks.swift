public import SockeyeEngine

// Options of tasks (`dataTask`, `uploadTask`, `download`), which other calls ignore.
extension OutgoingRequest.Options {
    /// The place of a task among those that wait for their turn. Default ``TransferPriority/standard``.
    public var priority: TransferPriority {
        get { further[PriorityKey.self] ?? .standard }
        set { further[PriorityKey.self] = newValue }
    }

    /// The tasks that have to end before this one begins, whatever their outcome (as dependencies of `NSOperation`), by
    /// ``TransferTask/id``. Default none.
    public var dependencies: [UInt64] {
        get { further[DependenciesKey.self] ?? [] }
        set { further[DependenciesKey.self] = newValue }
    }

    /// Options with a place for the task among those that wait for their turn.
    public static func priority(_ priority: TransferPriority) -> OutgoingRequest.Options {
        OutgoingRequest.Options().priority(priority)
    }

    /// These options with a place for the task among those that wait for their turn.
    public func priority(_ priority: TransferPriority) -> OutgoingRequest.Options { with { $0.priority = priority } }

    /// Options of a task that begins after others have ended.
    ///
    /// ```swift
    /// let upload = try client.uploadTask(.put, "blob", .file(path))
    /// let check = try client.dataTask(.get, "blob/state", options: .after(upload), as: .json(State.self))
    /// ```
    public static func after(_ tasks: any TransferListing...) -> OutgoingRequest.Options {
        OutgoingRequest.Options().with { $0.dependencies = tasks.map { $0.id } }
    }

    /// These options with further tasks that have to end before this one begins.
    public func after(_ tasks: any TransferListing...) -> OutgoingRequest.Options {
        with { $0.dependencies += tasks.map { $0.id } }
    }
}

package enum PriorityKey: OutgoingRequest.ContextKey { package typealias Value = TransferPriority }
package enum DependenciesKey: OutgoingRequest.ContextKey { package typealias Value = [UInt64] }
