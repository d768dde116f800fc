import SockeyeCore
import SockeyeEngine

/// A cursor over an ``InterceptorChain``: a request, its position in the chain, and the changes that interceptors have
/// made to it.
struct ChainCursor {
    /// The request for the next interceptor, without the fields in ``added``.
    private(set) var request: OutgoingRequest
    /// Fields that interceptors added.
    private(set) var added = FieldLineBuffer()
    /// The index of the next interceptor. Once the request has an outcome, the index of the interceptor that examines
    /// this outcome.
    private(set) var position: Int
    /// Requests that were replaced, each with the position of the interceptor that replaced it. Nil until a request is
    /// replaced.
    private var replaced: [(position: Int, request: OutgoingRequest)]?

    init(_ request: OutgoingRequest, at position: Int) {
        self.request = request
        self.position = position
    }

    mutating func advance(to position: Int) { self.position = position }

    mutating func stepBack() { position -= 1 }

    /// Replaces the request, and advances.
    mutating func replace(by other: OutgoingRequest) {
        replaced = (replaced ?? []) + [(position, request)]
        request = other
        position += 1
    }

    /// Lets an interceptor prepare the request without waiting. Advances unless the preparation must be done
    /// asynchronously (``SynchronousInterceptor/prepareWaiting(_:in:)``).
    ///
    /// - Returns: True if the cursor advanced.
    @inline(__always)
    mutating func prepare(
        by interceptor: some SynchronousInterceptor, at time: TimeSource, for observer: CallObserver?
    ) throws(SockeyeError) -> Bool {
        added.position = position
        switch try interceptor.prepare(request, adding: &added, at: time, for: observer) {
        case .ready: position += 1
        case .replacing(let other): replace(by: other)
        case .waiting: return false
        }
        return true
    }

    /// The request with the added fields, for the next asynchronous interceptor or the transport.
    var finalRequest: OutgoingRequest { added.isEmpty ? request : request.adding(added) }

    /// The request as the interceptor at this position passed it on, without the changes by interceptors after it.
    var requestHere: OutgoingRequest {
        let request = replaced?.first { $0.position > position }?.request ?? request
        return request.adding(added, upTo: position)
    }
}
