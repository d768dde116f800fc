public import SockeyeEngine

// The values of events of tasks.

extension ClientEvent {
    /// A task.
    public struct Transfer: Sendable {
        /// The task's ``TransferTask/id``.
        public let id: UInt64
        /// The purpose of the task.
        public let kind: TransferKind
        /// The request as it was made.
        public let request: OutgoingRequest
        /// The task's ``TransferTask/context``.
        public var context: OutgoingRequest.Context { request.options.context }
    }

    /// A download task that continues behind the bytes it has.
    public struct Resumption: Sendable {
        /// The task.
        public let task: Transfer
        /// The bytes that it has already.
        public let offset: Int
        /// The bytes of the whole file; nil if unknown.
        public let total: Int?
    }

    /// The move of a complete file to its destination.
    public struct FileMove: Sendable {
        /// The task that downloaded the file; nil for ``IncomingResponse/download(to:checksums:verifiesAnnouncedChecksums:onProgress:)``.
        public let task: Transfer?
        /// The call whose response was downloaded; nil for a task.
        public let call: ObservedCall?
        /// The path of the destination. If the file was moved, it is there.
        public let path: String
        /// Why the file could not be moved; nil if it was moved.
        public let error: SockeyeError?
    }

    /// The end of a task.
    public struct TransferEnd: Sendable {
        /// The task.
        public let task: Transfer
        /// The value of the task, or why it failed. The value of a download is a ``DownloadedFile``, which has its path.
        public let outcome: Result<any Sendable, SockeyeError>
        /// The response whose content was received, its content taken; nil if no head arrived.
        public let response: IncomingResponse?

        /// The value of the task; nil if it failed.
        public var value: (any Sendable)? { try? outcome.get() }

        /// Why the task failed; nil if it has a value.
        public var error: SockeyeError? {
            if case .failure(let error) = outcome { error } else { nil }
        }

        /// The exchanges of the task's last call in figures; nil if no head arrived.
        public var metrics: CallMetrics? { response?.metrics }
    }
}

// Neither values nor user information are shown: both may be secret.

extension ClientEvent.Transfer: CustomStringConvertible, CustomReflectable {
    /// For example `download 3 GET https://example.com/x`.
    public var description: String { "\(kind.rawValue) \(id) \(request.method) \(request.url.masked)" }

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension ClientEvent.TransferEnd: CustomStringConvertible, CustomReflectable {
    /// For example `download 3 GET https://example.com/x: ended`.
    public var description: String { "\(task): " + (error.map { "failed, \($0.code)" } ?? "ended") }

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
