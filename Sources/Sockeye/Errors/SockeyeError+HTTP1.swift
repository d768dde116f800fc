import SockeyeHTTP1

extension SockeyeError {
    /// Translates what the peer did wrong.
    init(_ fault: PeerFault, phase: Phase) {
        switch fault {
        case .closedBeforeResponse, .truncatedHead, .truncatedBody:
            self.init(.init(.connectionClosed, phase: phase, blame: .peer, message: fault.description))
        case .headTooLarge(let limit):
            self.init(fault, phase: phase, limit: Limit("headBytes", configured: "\(limit) bytes"))
        case .tooManyFields(let limit):
            self.init(fault, phase: phase, limit: Limit("fieldCount", configured: limit))
        case .tooManyInterim(let limit):
            self.init(fault, phase: phase, limit: Limit("interimResponses", configured: limit))
        case .chunkLineTooLong(let limit), .chunkExtensionTooLarge(let limit):
            self.init(fault, phase: phase, limit: Limit("chunk framing", configured: "\(limit) bytes"))
        case .trailersTooLarge(let limit):
            self.init(fault, phase: phase, limit: Limit("trailers", configured: "\(limit) bytes"))
        case .tooManyTrailers(let limit):
            self.init(fault, phase: phase, limit: Limit("trailers", configured: limit))
        default:
            self.init(.init(.malformedResponse, phase: phase, blame: .peer, message: fault.description))
        }
        self = with { $0.underlying = fault }
    }

    private init(_ fault: PeerFault, phase: Phase, limit: Limit) {
        var fields = Fields(.limitExceeded, phase: phase, blame: .policy, message: fault.description)
        fields.limit = limit
        self.init(fields)
    }

    /// Translates what the caller asked for and HTTP does not allow.
    init(_ fault: RequestFault) {
        self.init(.init(.invalidRequest, phase: .prepare, blame: .caller, message: fault.description))
        self = with { $0.underlying = fault }
    }

    /// Translates what is wrong with a URL.
    init(_ fault: URLFault) {
        self.init(.init(.invalidURL, phase: .prepare, blame: .caller, message: fault.description))
        self = with { $0.underlying = fault }
    }
}
