public import SockeyeEngine
public import SockeyeHTTP

// The values of call events.

extension ClientEvent {
    /// The start of a call.
    public struct CallStart: Sendable {
        /// The call.
        public let call: ObservedCall
        /// The request with the client's defaults, before interceptors.
        public let request: OutgoingRequest
        /// The `id` of the task (`TransferTask` of SockeyeTransfers) that makes the call; nil for a call outside of
        /// tasks.
        public let task: UInt64?
    }

    /// A step of an exchange.
    public struct Exchange: Sendable {
        /// The call.
        public let call: ObservedCall
        /// The request, the connection, the times and bytes of the exchange so far, and its error.
        public let metrics: CallMetrics.Exchange
    }

    /// The head of a final response.
    public struct Head: Sendable {
        /// The call.
        public let call: ObservedCall
        /// The request, the connection, and the times and bytes of the exchange so far.
        public let metrics: CallMetrics.Exchange
        /// The response. Do not read its content, which belongs to the caller.
        public let response: IncomingResponse
    }

    /// The progress of the content of a request or a response.
    public struct BodyProgress: Sendable {
        /// The call.
        public let call: ObservedCall
        /// The number of content bytes so far.
        public let bytes: Int
        /// The announced length of the content in bytes; nil if unknown.
        public let total: Int?
    }

    /// An exchange after which the call sends another request: after a redirect, for a retry, or to answer a challenge.
    public struct Continuation: Sendable {
        /// The call.
        public let call: ObservedCall
        /// The exchange, its outcome, and the reason for the next request.
        public let exchange: PriorExchange
    }

    /// An answer of the client's cache.
    public struct CacheAnswer: Sendable {
        /// The call.
        public let call: ObservedCall
        /// The URL of the request, without user information.
        public let url: HTTPURL
        /// The cache's outcome and its reason.
        public let outcome: CacheOutcome
    }

    /// The end of a call.
    public struct CallReturn: Sendable {
        /// The call.
        public let call: ObservedCall
        /// The response or the error. Do not read the response's content, which belongs to the caller.
        public let outcome: Result<IncomingResponse, SockeyeError>
        /// The time since the call started.
        public let duration: Duration
        private let observer: CallObserver

        init(_ observer: CallObserver, _ outcome: Result<IncomingResponse, SockeyeError>, duration: Duration) {
            call = observer.call
            self.outcome = outcome
            self.duration = duration
            self.observer = observer
        }

        /// The metrics of all exchanges of the call, as of the moment of reading: an exchange may end after the return.
        public var metrics: CallMetrics { observer.metrics }
        /// The number of exchanges of the call.
        package var exchangeCount: Int { observer.exchange }
    }

    /// A response that is saved to a file.
    public struct NewDownload: Sendable {
        /// The call.
        public let call: ObservedCall
        /// The response. Do not read its content, which belongs to the download.
        public let response: IncomingResponse
        /// The destination of the file.
        public let destination: DownloadDestination
    }

    /// The call that the event belongs to; nil for events of tasks and of the network.
    public var call: ObservedCall? {
        switch self {
        case .callStarted(let start): start.call
        case .exchangeStarted(let exchange), .exchangeConnected(let exchange), .requestSent(let exchange),
            .exchangeEnded(let exchange):
            exchange.call
        case .headReceived(let head): head.call
        case .bodySent(let progress), .bodyReceived(let progress): progress.call
        case .callContinued(let continuation): continuation.call
        case .cacheAnswered(let answer): answer.call
        case .callReturned(let end): end.call
        case .becameDownload(let download): download.call
        case .fileMoved(let move): move.call
        case .taskResumed, .taskPaused, .downloadResumed, .taskEnded, .tasksInvalidated, .reachabilityChanged: nil
        }
    }
}
