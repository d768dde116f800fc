public import SockeyeEngine
public import SockeyeHTTP

// The values of events of calls.

extension ClientEvent {
    /// The start of a call.
    public struct CallStart: Sendable {
        /// The call.
        public let call: ObservedCall
        /// The request as the caller and the client's defaults made it, before interceptors.
        public let request: OutgoingRequest
        /// The ``TransferTask/id`` of the task that makes the call; nil for a call of its own.
        public let task: UInt64?
    }

    /// A step of an exchange.
    public struct Exchange: Sendable {
        /// The call.
        public let call: ObservedCall
        /// The request, the connection, times and bytes of the exchange so far, and why it failed.
        public let metrics: CallMetrics.Exchange
    }

    /// The head of a final response.
    public struct Head: Sendable {
        /// The call.
        public let call: ObservedCall
        /// The request, the connection, times and bytes of the exchange so far.
        public let metrics: CallMetrics.Exchange
        /// The response. Leave its content to the caller.
        public let response: IncomingResponse
    }

    /// The progress of a request's or a response's content.
    public struct BodyProgress: Sendable {
        /// The call.
        public let call: ObservedCall
        /// The bytes of the content so far.
        public let bytes: Int
        /// The announced bytes of the whole content; nil if unknown.
        public let total: Int?
    }

    /// An exchange that the call continues after.
    public struct Continuation: Sendable {
        /// The call.
        public let call: ObservedCall
        /// The exchange, its outcome and why the call continues.
        public let exchange: PriorExchange
    }

    /// An answer of the client's cache.
    public struct CacheAnswer: Sendable {
        /// The call.
        public let call: ObservedCall
        /// The URL of the request, without user information.
        public let url: HTTPURL
        /// How the cache answered, and why.
        public let outcome: CachedResponse.Outcome
    }

    /// The end of a call.
    public struct CallReturn: Sendable {
        /// The call.
        public let call: ObservedCall
        /// The response, whose content is the caller's to read, or the error.
        public let outcome: Result<IncomingResponse, SockeyeError>
        /// The time since the call began.
        public let duration: Duration
        private let observer: CallObserver

        init(_ observer: CallObserver, _ outcome: Result<IncomingResponse, SockeyeError>, duration: Duration) {
            call = observer.call
            self.outcome = outcome
            self.duration = duration
            self.observer = observer
        }

        /// All exchanges of the call in figures.
        public var metrics: CallMetrics { observer.metrics }
    }

    /// A response that becomes a file.
    public struct NewDownload: Sendable {
        /// The call.
        public let call: ObservedCall
        /// The response, whose content the download reads.
        public let response: IncomingResponse
        /// Where the file goes.
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
