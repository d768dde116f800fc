import SockeyeCore
import SockeyeEngine
import SockeyeHTTP

/// A request on its way down a chain of quick interceptors, from which can be told what it was like on the way.
struct Descent {
    /// The request as it is now, further in than all that has been asked, but for ``added``.
    private(set) var request: Request
    /// What policies added to its fields.
    private(set) var added = AddedFields()
    /// Who is asked next; on the way up, who is asked now.
    private(set) var position: Int
    /// The requests in whose place came others, and where. Nearly always none.
    private var replaced: [(position: Int, request: Request)] = []

    init(_ request: Request, at position: Int) {
        self.request = request
        self.position = position
    }

    /// Those further out have been asked.
    mutating func comes(to position: Int) { self.position = position }

    /// Asks a policy; what that adds comes from the current position.
    @inline(__always)
    mutating func prepared(
        by preparing: some RequestPreparing, at time: TimeSource
    ) throws(SockeyeError) -> Preparation {
        added.position = position
        return try preparing.prepare(request, adding: &added, at: time)
    }

    mutating func replace(by other: Request) {
        replaced.append((position, request))
        request = other
        position += 1
    }

    mutating func goBack() { position -= 1 }

    /// The request with all that was done to it.
    var whole: Request { added.isEmpty ? request : request.adding(added) }

    /// The request as it went on from the current position: without what was done to it further in.
    var asItWentOn: Request {
        let request = replaced.first { $0.position > position }?.request ?? request
        return request.adding(added, upTo: position)
    }
}
