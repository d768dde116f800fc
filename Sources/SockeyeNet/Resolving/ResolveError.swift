import SockeyePlatform

/// Why a name has no addresses.
package enum ResolveError: Error, Sendable {
    /// The name does not exist; of the system's resolver also that it has no address, which it does not tell apart.
    case notFound
    /// The name exists and has no address.
    case noData
    /// The name servers cannot be asked, or have no answer just now.
    case temporary
    /// The name servers could not answer (SERVFAIL).
    case serverFailure
    /// The name servers would not answer (REFUSED).
    case refused
    /// No name server answered in the time that the resolver grants.
    case unanswered
    /// No name server could be reached.
    case unreachable
    /// The name server closed each connection before it answered.
    case interrupted
    /// A name server sent something else than an answer.
    case malformed
    /// The deadline passed first. The look-up itself goes on and may still serve the next request.
    case timedOut
    /// The waiting task was cancelled.
    case cancelled
    /// Too many look-ups are waiting for a thread already.
    case overloaded(limit: Int)
    /// No host name: empty, too long, or with bytes that no name has.
    case invalidName
    /// The process or the system has no descriptors, memory or threads left for a look-up: the `errno`.
    case outOfResources(Int32)
    /// Another error of `getaddrinfo` or c-ares: its code and its text.
    case failed(code: Int32, text: String)
    /// A resolver that the user brought threw this.
    case custom(any Error)
}

extension ResolveError: Equatable {
    /// Errors of foreign resolvers are compared by what they say, since nothing else of them can be.
    package static func == (left: ResolveError, right: ResolveError) -> Bool {
        switch (left, right) {
        case (.notFound, .notFound), (.temporary, .temporary), (.timedOut, .timedOut), (.cancelled, .cancelled),
            (.invalidName, .invalidName), (.noData, .noData), (.serverFailure, .serverFailure), (.refused, .refused),
            (.unanswered, .unanswered), (.unreachable, .unreachable), (.interrupted, .interrupted),
            (.malformed, .malformed):
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
        case .overloaded(let limit): "more than \(limit) look-ups are waiting"
        case .outOfResources(let code): "the look-up lacks resources: \(SystemError(code).text)"
        case .invalidName: "this is not a host name"
        case .failed(let code, let text): "\(text) (\(code))"
        case .custom(let error): "\(error)"
        }
    }
}
