import SockeyeEngine
import SockeyeHTTP

extension ClientEvent: CustomStringConvertible, CustomReflectable {
    /// One line, for example `#7 GET https://example.com/users: 200 after 0.012 seconds`. It contains no header fields,
    /// no content and no user information. Values of query items that may be secret are masked.
    public var description: String {
        switch self {
        case .callStarted(let start): "\(start.call): started"
        case .exchangeStarted(let exchange): "\(exchange.subject): waits for a connection"
        case .exchangeConnected(let exchange): "\(exchange.subject): \(exchange.connectionText)"
        case .bodySent(let progress): "\(progress.call): \(progress.text) sent"
        case .requestSent(let exchange): "\(exchange.subject): request sent"
        case .headReceived(let head): "#\(head.call.id) \(head.response): head received"
        case .bodyReceived(let progress): "\(progress.call): \(progress.text) received"
        case .exchangeEnded(let exchange): "#\(exchange.call.id) \(exchange.metrics)"
        case .callContinued(let continuation): "#\(continuation.call.id) \(continuation.exchange)"
        case .cacheAnswered(let answer): "#\(answer.call.id) \(answer.url.masked): cache \(answer.outcome)"
        case .callReturned(let end): "\(end.call): \(end.resultText) after \(end.duration)"
        case .becameDownload(let download): "\(download.call): becomes a download"
        case .fileMoved(let move): move.text
        case .taskResumed(let task): "\(task): resumed"
        case .taskPaused(let task): "\(task): paused"
        case .downloadResumed(let resumption): "\(resumption.task): resumed at byte \(resumption.offset)"
        case .taskEnded(let end): end.description
        case .tasksInvalidated: "tasks invalidated"
        case .reachabilityChanged(let status): "reachability: \(status)"
        }
    }

    /// A mirror with the description only.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension ClientEvent.Exchange {
    /// The request of the exchange. After a redirect, this is not the request that the call began with.
    fileprivate var subject: String { "#\(call.id) \(metrics.method) \(metrics.url.masked)" }

    fileprivate var connectionText: String {
        guard let connection = metrics.connection else { return "connected" }
        let kind = connection.isReused ? "reused" : "new"
        return "\(kind) connection" + (connection.remoteAddress.map { " to \($0)" } ?? "")
    }
}

extension ClientEvent.BodyProgress {
    fileprivate var text: String { total.map { "\(bytes) of \($0) bytes" } ?? "\(bytes) bytes" }
}

extension ClientEvent.CallReturn {
    fileprivate var resultText: String {
        switch outcome {
        case .success(let response): "\(response.status.code)"
        case .failure(let error): "\(error.code) in \(error.phase)"
        }
    }
}

extension ClientEvent.FileMove {
    /// The result without the path, which a server may have chosen.
    fileprivate var text: String {
        let result = error.map { "file not moved, \($0.code)" } ?? "file moved"
        let subject = task?.description ?? call?.description
        return subject.map { "\($0): \(result)" } ?? result
    }
}
