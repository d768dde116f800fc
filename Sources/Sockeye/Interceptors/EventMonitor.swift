public import HTTPTypes
public import SockeyeEngine
public import SockeyeHTTP

/// An observer of calls and tasks, for logs, metrics, tracing and tests. It decides nothing.
///
/// Monitors are added to a client (``ClientConfiguration/monitors``) or to a scope (``HTTPClient/monitored(by:)``). Every
/// requirement has an implementation that does nothing. Each is called synchronously from the task that does the work, in
/// the order in which things happen to a call, and should return soon: the exchange waits for it. Without monitors
/// nothing of this costs anything.
///
/// Values may hold credentials: see ``OutgoingRequest`` and the fields of responses. What is described, is described without.
///
/// The counterparts of AFNetworking's notifications and blocks are named at each requirement.
///
/// A minor version may add events, which are ignored by default; see <doc:Stability>.
public protocol EventMonitor: Sendable {
    /// A call has begun. (`AFNetworkingOperationDidStartNotification`, `…TaskDidResume…`)
    func callDidStart(_ call: ObservedCall)

    /// A request is about to look for a connection; a call has several exchanges when it is redirected or repeated.
    func exchangeDidStart(_ call: ObservedCall, method: HTTPRequest.Method, url: HTTPURL)

    /// The request has a connection, a new one or one that was used before.
    func exchangeDidConnect(_ call: ObservedCall, to connection: CallMetrics.Connection)

    /// The system has taken this many bytes of the content so far. (`taskDidSendBodyData`)
    func exchangeDidSendBody(_ call: ObservedCall, bytes: Int, of total: Int?)

    /// The system has taken all of the request.
    func exchangeDidSendRequest(_ call: ObservedCall)

    /// The head of the final response has arrived. (`dataTaskDidReceiveResponse`)
    func exchangeDidReceiveHead(_ call: ObservedCall, status: HTTPResponse.Status, headers: Headers)

    /// The caller has got this many bytes of the content so far, before decoding. (`dataTaskDidReceiveData`)
    func exchangeDidReceiveBody(_ call: ObservedCall, bytes: Int)

    /// An exchange is over: its content read to the end or given up, or it failed.
    /// (`taskDidFinishCollectingMetrics`)
    func exchangeDidEnd(_ call: ObservedCall, metrics: ExchangeMetrics)

    /// The outcome of an exchange was not the call's: it was redirected, repeated, or challenged.
    /// (`taskWillPerformHTTPRedirection`, as far as it only watches)
    func callWillGoOn(_ call: ObservedCall, after exchange: PriorExchange)

    /// The client's cache has an answer to a request of the call: from its store, or the server's. Once for each request that comes
    /// to it, so that a call has several which is redirected or repeated.
    func cacheDidAnswer(_ call: ObservedCall, url: HTTPURL, _ outcome: CacheOutcome)

    /// The call has returned a response, whose content may still be to read, or failed.
    /// (`taskDidComplete`, `AFNetworkingTaskDidCompleteNotification`)
    func callDidReturn(_ call: ObservedCall, _ outcome: Result<IncomingResponse, SockeyeError>)

    /// A task has begun, or goes on after a pause. (`AFNetworkingTaskDidResumeNotification`)
    func taskDidResume(_ id: UInt64, _ kind: TransferKind)

    /// A download goes on behind bytes that it has already, of an earlier connection or an earlier task: the server has agreed to
    /// send the rest. Told each time. (`downloadTaskDidResumeAtOffset`, `setDownloadTaskDidResumeBlock:`)
    ///
    /// - Parameters:
    ///   - id: The task's ``TransferTask/id``.
    ///   - offset: How many bytes there are already.
    ///   - total: How many there will be; nil where the server does not tell.
    func downloadDidResume(_ id: UInt64, at offset: Int, of total: Int?)

    /// A task was paused. (`AFNetworkingTaskDidSuspendNotification`)
    func taskDidPause(_ id: UInt64, _ kind: TransferKind)

    /// A task has ended; without an error it has a value. (`AFNetworkingTaskDidCompleteNotification`)
    func taskDidEnd(_ id: UInt64, _ kind: TransferKind, _ error: SockeyeError?)

    /// The client takes no more tasks, and those that there were have ended.
    /// (`AFURLSessionDidInvalidateNotification`, `sessionDidBecomeInvalid`)
    func clientDidInvalidateTasks()

    /// The network, a host or an address has become reachable, or is not any more, or by another kind of network; of a
    /// ``NetworkReachability`` that was made with this as its `onChange`. (`AFNetworkingReachabilityDidChangeNotification`)
    func reachabilityDidChange(_ status: NetworkReachability.Status)
}

extension EventMonitor {
    /// Does nothing.
    public func callDidStart(_ call: ObservedCall) {}
    /// Does nothing.
    public func exchangeDidStart(_ call: ObservedCall, method: HTTPRequest.Method, url: HTTPURL) {}
    /// Does nothing.
    public func exchangeDidConnect(_ call: ObservedCall, to connection: CallMetrics.Connection) {}
    /// Does nothing.
    public func exchangeDidSendBody(_ call: ObservedCall, bytes: Int, of total: Int?) {}
    /// Does nothing.
    public func exchangeDidSendRequest(_ call: ObservedCall) {}
    /// Does nothing.
    public func exchangeDidReceiveHead(_ call: ObservedCall, status: HTTPResponse.Status, headers: Headers) {}
    /// Does nothing.
    public func exchangeDidReceiveBody(_ call: ObservedCall, bytes: Int) {}
    /// Does nothing.
    public func exchangeDidEnd(_ call: ObservedCall, metrics: ExchangeMetrics) {}
    /// Does nothing.
    public func callWillGoOn(_ call: ObservedCall, after exchange: PriorExchange) {}
    /// Does nothing.
    public func cacheDidAnswer(_ call: ObservedCall, url: HTTPURL, _ outcome: CacheOutcome) {}
    /// Does nothing.
    public func callDidReturn(_ call: ObservedCall, _ outcome: Result<IncomingResponse, SockeyeError>) {}
    /// Does nothing.
    public func taskDidResume(_ id: UInt64, _ kind: TransferKind) {}
    /// Does nothing.
    public func downloadDidResume(_ id: UInt64, at offset: Int, of total: Int?) {}
    /// Does nothing.
    public func taskDidPause(_ id: UInt64, _ kind: TransferKind) {}
    /// Does nothing.
    public func taskDidEnd(_ id: UInt64, _ kind: TransferKind, _ error: SockeyeError?) {}
    /// Does nothing.
    public func clientDidInvalidateTasks() {}
    /// Does nothing.
    public func reachabilityDidChange(_ status: NetworkReachability.Status) {}
}

/// Which call something happened to.
public struct ObservedCall: Sendable, Hashable, CustomStringConvertible {
    /// Different for each call of the process.
    public let id: UInt64
    /// The method that the caller asked for.
    public let method: HTTPRequest.Method
    /// The URL that the caller asked for, without user information.
    public let url: HTTPURL
    /// The values that the caller has given the call; see ``OutgoingRequest/Options/context``.
    public let context: OutgoingRequest.Context

    init(
        id: UInt64, method: HTTPRequest.Method, url: HTTPURL,
        context: OutgoingRequest.Context = OutgoingRequest.Context()
    ) {
        self.id = id
        self.method = method
        self.url = url
        self.context = context
    }

    /// Whether both are of the same call.
    public static func == (left: ObservedCall, right: ObservedCall) -> Bool { left.id == right.id }

    /// Hashes the ``id``.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// For example `#7 GET https://example.com/x`.
    public var description: String { "#\(id) \(method) \(url.masked)" }
}
