/// An event of a call, a task (`TransferTask` of SockeyeTransfers) or the network, for an ``EventMonitor``.
///
/// The notification or block of AFNetworking that a case replaces is named in parentheses. The values of an event may
/// contain credentials; ``description`` contains none. An event retains its response, which occupies a connection until
/// its content is read or the response is released. So a monitor should keep only the values that it needs.
///
/// A minor version may add cases. It may also add properties to the values of existing cases.
@nonexhaustive public enum ClientEvent: Sendable {
    /// A call started. (`AFNetworkingOperationDidStartNotification`)
    case callStarted(CallStart)

    /// A request starts to wait for a connection. This begins an exchange: one request and its response. A redirected
    /// or repeated call has several exchanges.
    case exchangeStarted(Exchange)

    /// The request has a connection, either new or reused.
    case exchangeConnected(Exchange)

    /// The kernel accepted a part of the request's content. (`taskDidSendBodyData`)
    case bodySent(BodyProgress)

    /// The kernel accepted the whole request.
    case requestSent(Exchange)

    /// The head of the final response arrived. (`dataTaskDidReceiveResponse`)
    case headReceived(Head)

    /// The caller received a part of the response's content. The event counts the bytes before a content coding is
    /// undone. (`dataTaskDidReceiveData`)
    case bodyReceived(BodyProgress)

    /// An exchange ended: its content was read completely or discarded, or the exchange failed. May be reported after
    /// ``callReturned(_:)``. (`taskDidFinishCollectingMetrics`)
    case exchangeEnded(Exchange)

    /// The call continues after an exchange that led to a redirect, a retry or an answer to a challenge.
    /// (`taskWillPerformHTTPRedirection`)
    case callContinued(Continuation)

    /// The client's cache returned a response to a request of the call: a stored response, the server's response, or a
    /// 504 that the cache created. A redirected or repeated call may have several such events.
    case cacheAnswered(CacheAnswer)

    /// The call returned a response with possibly unread content, or failed. (`taskDidComplete`)
    case callReturned(CallReturn)

    /// The content of a response will be saved to a file, because the caller's closure returned `download` as its
    /// disposition (`IncomingResponse.Disposition` of SockeyeTransfers). (`dataTaskDidBecomeDownloadTask`)
    case becameDownload(NewDownload)

    /// A download is complete, and its file was moved to the destination or could not be moved.
    /// (`AFURLSessionDownloadTaskDidMoveFileSuccessfullyNotification`, `…DidFailToMoveFileNotification`)
    case fileMoved(FileMove)

    /// A task started, or continues after a pause. (`AFNetworkingTaskDidResumeNotification`)
    case taskResumed(Transfer)

    /// A task was paused. (`AFNetworkingTaskDidSuspendNotification`)
    case taskPaused(Transfer)

    /// A download task resumes: the server sends only the rest of the content, so the task keeps the bytes of an
    /// earlier connection or task. (`downloadTaskDidResumeAtOffset`, `setDownloadTaskDidResumeBlock:`)
    case downloadResumed(Resumption)

    /// A task ended with a value or an error. (`AFNetworkingTaskDidCompleteNotification`)
    case taskEnded(TransferEnd)

    /// The client accepts no more tasks, and all earlier ones have ended. (`AFURLSessionDidInvalidateNotification`,
    /// `sessionDidBecomeInvalid`)
    case tasksInvalidated

    /// The network, a host or an address became reachable, unreachable, or reachable over another interface. No client
    /// reports this event. The application passes it to the monitor, in the `onChange` closure of a
    /// ``NetworkReachability``.
    /// (`AFNetworkingReachabilityDidChangeNotification`)
    case reachabilityChanged(NetworkReachability.Status)

    /// A set of kinds of events.
    ///
    /// A minor version may add kinds. It also adds them to the sets that they belong to, such as ``calls``.
    public struct Kinds: OptionSet, Sendable, Hashable {
        /// One bit for each kind.
        public let rawValue: UInt64

        /// Creates a set from its bits.
        public init(rawValue: UInt64) { self.rawValue = rawValue }

        private init(bit: Int) { rawValue = 1 << UInt64(bit) }

        /// ``ClientEvent/callStarted(_:)``
        public static let callStarted = Kinds(bit: 0)
        /// ``ClientEvent/exchangeStarted(_:)``
        public static let exchangeStarted = Kinds(bit: 1)
        /// ``ClientEvent/exchangeConnected(_:)``
        public static let exchangeConnected = Kinds(bit: 2)
        /// ``ClientEvent/bodySent(_:)``
        public static let bodySent = Kinds(bit: 3)
        /// ``ClientEvent/requestSent(_:)``
        public static let requestSent = Kinds(bit: 4)
        /// ``ClientEvent/headReceived(_:)``
        public static let headReceived = Kinds(bit: 5)
        /// ``ClientEvent/bodyReceived(_:)``
        public static let bodyReceived = Kinds(bit: 6)
        /// ``ClientEvent/exchangeEnded(_:)`` of a failed exchange; a subset of ``exchangeEnded``.
        public static let exchangeFailed = Kinds(bit: 7)
        /// ``ClientEvent/exchangeEnded(_:)``
        public static let exchangeEnded: Kinds = [.exchangeFailed, .exchangeSucceeded]
        static let exchangeSucceeded = Kinds(bit: 8)
        /// ``ClientEvent/callContinued(_:)``
        public static let callContinued = Kinds(bit: 9)
        /// ``ClientEvent/cacheAnswered(_:)``
        public static let cacheAnswered = Kinds(bit: 10)
        /// ``ClientEvent/callReturned(_:)``
        public static let callReturned: Kinds = [.callFailed, .callSucceeded]
        /// ``ClientEvent/callReturned(_:)`` with an error, or with a response status of 400 or higher.
        package static let callFailed = Kinds(bit: 11)
        package static let callSucceeded = Kinds(bit: 20)
        /// ``ClientEvent/becameDownload(_:)``
        public static let becameDownload = Kinds(bit: 12)
        /// ``ClientEvent/fileMoved(_:)``
        public static let fileMoved = Kinds(bit: 13)
        /// ``ClientEvent/taskResumed(_:)``
        public static let taskResumed = Kinds(bit: 14)
        /// ``ClientEvent/taskPaused(_:)``
        public static let taskPaused = Kinds(bit: 15)
        /// ``ClientEvent/downloadResumed(_:)``
        public static let downloadResumed = Kinds(bit: 16)
        /// ``ClientEvent/taskEnded(_:)``
        public static let taskEnded = Kinds(bit: 17)
        /// ``ClientEvent/tasksInvalidated``
        public static let tasksInvalidated = Kinds(bit: 18)
        /// ``ClientEvent/reachabilityChanged(_:)``
        public static let reachabilityChanged = Kinds(bit: 19)

        /// All events of calls and their exchanges.
        public static let calls = Kinds(rawValue: (1 << 14) - 1).union(.callSucceeded)
        /// All events of tasks. The events of the calls that tasks make are in ``calls``.
        public static let tasks: Kinds = [
            .fileMoved, .taskResumed, .taskPaused, .downloadResumed, .taskEnded, .tasksInvalidated,
        ]
        /// All events, including those of later versions.
        public static let all = Kinds(rawValue: .max)
    }

    /// The kind of the event. Test it with `contains`, as in `Kinds.exchangeEnded.contains(event.kind)`, and not with
    /// `==`: the set ``ClientEvent/Kinds/exchangeEnded`` has two kinds, for failed and for successful exchanges.
    public var kind: Kinds {
        switch self {
        case .callStarted: .callStarted
        case .exchangeStarted: .exchangeStarted
        case .exchangeConnected: .exchangeConnected
        case .bodySent: .bodySent
        case .requestSent: .requestSent
        case .headReceived: .headReceived
        case .bodyReceived: .bodyReceived
        case .exchangeEnded(let exchange): exchange.metrics.error == nil ? .exchangeSucceeded : .exchangeFailed
        case .callContinued: .callContinued
        case .cacheAnswered: .cacheAnswered
        case .callReturned: .callReturned
        case .becameDownload: .becameDownload
        case .fileMoved: .fileMoved
        case .taskResumed: .taskResumed
        case .taskPaused: .taskPaused
        case .downloadResumed: .downloadResumed
        case .taskEnded: .taskEnded
        case .tasksInvalidated: .tasksInvalidated
        case .reachabilityChanged: .reachabilityChanged
        }
    }
}
