package import SockeyePlatform

/// The error of a failed look-up.
package enum ResolveError: Error, Sendable {
    /// The name does not exist. From the system's resolver or a custom one, this error can also mean that the name has
    /// no address.
    case notFound
    /// The name exists but has no address.
    case noData
    /// The system's resolver cannot reach the name servers, or the servers have no answer at the moment. The error of
    /// the system (EAI_AGAIN) does not distinguish these two cases.
    case temporary
    /// The name servers could not answer (SERVFAIL).
    case serverFailure
    /// The name servers refused to answer (REFUSED).
    case refused
    /// No name server answered within the resolver's time-out.
    case unanswered
    /// No name server could be reached.
    case unreachable
    /// The name server truncated its answer over UDP. Each TCP connection for the full answer failed, or was closed
    /// before the answer came.
    case interrupted
    /// A name server sent a malformed answer.
    case malformed
    /// The deadline of the waiting caller passed before the answer. A look-up that has begun continues, and its answer
    /// may serve later requests.
    case timedOut
    /// The waiting task was cancelled.
    case cancelled
    /// The look-up was given up. Either it hung, or it had lost all its callers and a queued look-up needed its place.
    /// In the second case, a caller that joined at the same moment gets this error, too. ``CachingResolver`` looks the
    /// name up again for a caller that gets the error.
    case abandoned
    /// The client was shut down.
    case shutDown
    /// The queue of look-ups is full.
    case overloaded(limit: Int)
    /// Not a host name: empty, too long, or with bytes that no name contains.
    case invalidName
    /// The process or the system lacks descriptors, memory or threads for a look-up; the value is the system's error.
    case outOfResources(SystemError)
    /// Another error of `getaddrinfo` or c-ares, with its code and text.
    case failed(code: Int32, text: String)
    /// An error of a custom resolver.
    case custom(any Error)
}

extension ResolveError: Equatable {
    /// Errors of custom resolvers are compared by their descriptions, since `any Error` is not `Equatable`.
    package static func == (left: ResolveError, right: ResolveError) -> Bool {
        switch (left, right) {
        case (.notFound, .notFound), (.temporary, .temporary), (.timedOut, .timedOut), (.cancelled, .cancelled),
            (.invalidName, .invalidName), (.noData, .noData), (.serverFailure, .serverFailure), (.refused, .refused),
            (.unanswered, .unanswered), (.unreachable, .unreachable), (.interrupted, .interrupted),
            (.malformed, .malformed), (.abandoned, .abandoned), (.shutDown, .shutDown):
            true
        case (.overloaded(let left), .overloaded(let right)): left == right
        case (.outOfResources(let left), .outOfResources(let right)): left == right
        case (.failed(let left, let leftText), .failed(let right, let rightText)):
            (left, leftText) == (right, rightText)
        case (.custom(let left), .custom(let right)): "\(left)" == "\(right)"
        default: false
        }
    }
}

extension ResolveError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notFound: "the name does not exist or has no address"
        case .noData: "the name exists and has no address"
        case .serverFailure: "the name server could not answer (SERVFAIL)"
        case .refused: "the name server refused to answer (REFUSED)"
        case .unanswered: "no name server answered in time"
        case .unreachable: "no name server could be reached"
        case .interrupted: "the name server closed the connection before it answered"
        case .malformed: "the answer of the name server was malformed"
        case .temporary: "the name servers have no answer at the moment"
        case .timedOut: "the look-up took too long"
        case .cancelled: "the look-up was cancelled"
        case .abandoned: "the look-up was given up"
        case .shutDown: "the client was shut down"
        case .overloaded(let limit): "the queue of look-ups is full (limit: \(limit))"
        case .outOfResources(let error): "the look-up lacks resources: \(error.text)"
        case .invalidName: "the host name is invalid: empty, too long, or with bytes that no host name contains"
        case .failed(let code, let text): "\(text) (\(code))"
        case .custom(let error): "\(error)"
        }
    }
}
