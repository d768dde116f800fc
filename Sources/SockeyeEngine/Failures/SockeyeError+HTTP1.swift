package import SockeyeHTTP

extension SockeyeError {
    /// Translates what the peer did wrong. What is counted one by one is refused at the first beyond its limit.
    ///
    /// - Parameter received: The bytes of the response that have come so far.
    package init(_ fault: PeerFault, phase: Phase, received: Int = 0) {
        switch fault {
        case .closedBeforeResponse, .truncatedHead, .truncatedBody:
            self.init(.init(.connectionClosed, phase: phase, blame: .peer, message: fault.description))
        case .headTooLarge(let limit):
            self.init(fault, phase: phase, limit: .bytes("headBytes", limit, seen: max(received, limit + 1)))
        case .tooManyFields(let limit):
            self.init(fault, phase: phase, limit: Limit("fieldCount", configured: limit, seen: limit + 1))
        case .interimTooLarge(let limit):
            self.init(fault, phase: phase, limit: .bytes("interimBytes", limit, seen: max(received, limit + 1)))
        case .chunkLineTooLong(let limit), .chunkExtensionTooLarge(let limit):
            self.init(fault, phase: phase, limit: .bytes("chunk framing", limit, seen: limit + 1))
        case .trailersTooLarge(let limit):
            self.init(fault, phase: phase, limit: .bytes("trailers", limit, seen: limit + 1))
        case .tooManyTrailers(let limit):
            self.init(fault, phase: phase, limit: Limit("trailers", configured: limit, seen: limit + 1))
        case .bareLF where phase == .head:
            let message = fault.description + ResponseTolerances.hint(.bareLineFeeds)
            self.init(.init(.malformedResponse, phase: phase, blame: .peer, message: message))
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
    package init(_ fault: RequestFault) {
        self.init(.init(.invalidRequest, phase: .prepare, blame: .caller, message: fault.description))
        self = with { $0.underlying = fault }
    }

    /// Translates what is wrong with a URL.
    package init(_ fault: HTTPURL.Fault) {
        self.init(.init(.invalidURL, phase: .prepare, blame: .caller, message: fault.description))
        self = with { $0.underlying = fault }
    }
}

extension SockeyeError.Limit {
    fileprivate static func bytes(_ name: String, _ limit: Int, seen: Int) -> SockeyeError.Limit {
        SockeyeError.Limit(name, configured: "\(limit) bytes", seen: "\(seen) bytes")
    }
}
