import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// A request on its way through a chain, from which can be told what it was like at each interceptor that it has passed.
struct PassingRequest {
    /// The request as it is now, further in than all that have been asked, but for ``added``.
    private(set) var request: OutgoingRequest
    /// What interceptors added to its fields.
    private(set) var added = FieldLineBuffer()
    /// Who is asked next; on the way back, who is asked now.
    private(set) var position: Int
    /// The requests in whose place came others, and where. Nearly always none.
    private var replaced: [(position: Int, request: OutgoingRequest)] = []

    init(_ request: OutgoingRequest, at position: Int) {
        self.request = request
        self.position = position
    }

    mutating func goOn() { position += 1 }

    mutating func goBack() { position -= 1 }

    /// Goes on as another request.
    mutating func replace(by other: OutgoingRequest) {
        replaced.append((position, request))
        request = other
        position += 1
    }

    /// Has an interceptor prepare it, and goes on unless that has to wait.
    ///
    /// - Returns: Whether it went on.
    @inline(__always)
    mutating func prepare(
        by interceptor: some SynchronousInterceptor, at time: TimeSource
    ) throws(SockeyeError) -> Bool {
        added.position = position
        switch try interceptor.prepare(request, adding: &added, at: time) {
        case .ready: goOn()
        case .replacing(let other): replace(by: other)
        case .waiting: return false
        }
        return true
    }

    /// The request with all that was done to it.
    var whole: OutgoingRequest { added.isEmpty ? request : request.adding(added) }

    /// The request as it went on from the current position: without what was done to it further in.
    var asItWentOn: OutgoingRequest {
        let request = replaced.first { $0.position > position }?.request ?? request
        return request.adding(added, upTo: position)
    }
}
