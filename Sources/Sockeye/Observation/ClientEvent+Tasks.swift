public import SockeyeEngine

// The values of task events.

extension ClientEvent {
    /// A task, which is a `TransferTask` of SockeyeTransfers.
    public struct Transfer: Sendable {
        /// The task's `id`.
        public let id: UInt64
        /// The purpose of the task.
        public let kind: TransferKind
        /// The request as the caller made it.
        public let request: OutgoingRequest
        /// The task's `context`.
        public var context: OutgoingRequest.Context { request.options.context }

        package init(id: UInt64, kind: TransferKind, request: OutgoingRequest) {
            self.id = id
            self.kind = kind
            self.request = request
        }
    }

    /// A download task that resumes: it appends to the bytes received earlier.
    public struct Resumption: Sendable {
        /// The task.
        public let task: Transfer
        /// The number of bytes received earlier.
        public let offset: Int
        /// The length of the whole file in bytes; nil if unknown.
        public let total: Int?

        package init(task: Transfer, offset: Int, total: Int?) {
            self.task = task
            self.offset = offset
            self.total = total
        }
    }

    /// The move of a complete file to its destination.
    public struct FileMove: Sendable {
        /// The task that downloaded the file; nil for `response.download(to:)`.
        public let task: Transfer?
        /// The call of the downloaded response; nil for a task.
        public let call: ObservedCall?
        /// The path of the destination, also if the move failed.
        public let path: String
        /// The error if the file could not be moved; otherwise nil.
        public let error: SockeyeError?

        package init(task: Transfer?, call: ObservedCall?, path: String, error: SockeyeError?) {
            self.task = task
            self.call = call
            self.path = path
            self.error = error
        }
    }

    /// The end of a task.
    public struct TransferEnd: Sendable {
        /// The task.
        public let task: Transfer
        /// The value or the error of the task. The value of a download is a `DownloadedFile` with the file's path.
        public let outcome: Result<any Sendable, SockeyeError>
        /// The response of the task; its content has been read. Nil if no head arrived.
        public let response: IncomingResponse?

        /// The value of the task; nil if it failed.
        public var value: (any Sendable)? { try? outcome.get() }

        /// The error of the task; nil if it has a value.
        public var error: SockeyeError? {
            if case .failure(let error) = outcome { error } else { nil }
        }

        /// The metrics of the task's last call; nil if no head arrived.
        public var metrics: CallMetrics? { response?.metrics }

        package init(task: Transfer, outcome: Result<any Sendable, SockeyeError>, response: IncomingResponse?) {
            self.task = task
            self.outcome = outcome
            self.response = response
        }
    }
}

// The descriptions omit the value of a task, because it may be secret. They show the URL of the request without user
// information, and mask the values of secret items in query and fragment.

extension ClientEvent.Transfer: CustomStringConvertible, CustomReflectable {
    /// For example `download 3 GET https://example.com/x`.
    public var description: String { "\(kind.rawValue) \(id) \(request.method) \(request.url.masked)" }

    /// A mirror with the description only.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension ClientEvent.TransferEnd: CustomStringConvertible, CustomReflectable {
    /// For example `download 3 GET https://example.com/x: ended`.
    public var description: String { "\(task): " + (error.map { "failed, \($0.code)" } ?? "ended") }

    /// A mirror with the description only.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
