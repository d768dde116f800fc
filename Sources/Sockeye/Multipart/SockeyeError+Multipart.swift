package import SockeyeEngine
package import SockeyeHTTP

extension SockeyeError {
    /// Converts an error in a multipart body, outgoing or received.
    package init(_ fault: MultipartFault) {
        switch fault {
        case .badHead(let head):
            self = SockeyeError(head, phase: .body)
        case .preambleTooLarge(let limit):
            self.init(fault, limit: Limit("preambleBytes", configured: "\(limit) bytes", seen: "more"))
        case .headTooLarge(let limit):
            self.init(fault, limit: Limit("headBytes", configured: "\(limit) bytes", seen: "more"))
        case .tooManyParts(let limit):
            self.init(fault, limit: Limit("parts", configured: limit, seen: limit + 1))
        case .badBoundary, .boundaryInPart:
            self.init(.init(.encodingFailed, phase: .prepare, blame: .caller, message: fault.description))
        default:
            self.init(.init(.malformedResponse, phase: .body, blame: .peer, message: fault.description))
        }
        self = with { $0.underlying = fault }
    }

    private init(_ fault: MultipartFault, limit: Limit) {
        var fields = Fields(.limitExceeded, phase: .body, blame: .policy, message: fault.description)
        fields.limit = limit
        self.init(fields)
    }
}
