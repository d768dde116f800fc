package import SockeyeHTTP

extension SockeyeError {
    /// Translates a fault of the peer. If there are too many fields or trailers, the error reports the limit plus one
    /// as their number, because the first one beyond the limit is refused.
    ///
    /// - Parameter received: The number of response bytes received so far.
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

    /// Translates the fault of a request that HTTP does not allow.
    package init(_ fault: RequestFault) {
        self.init(.init(.invalidRequest, phase: .prepare, blame: .caller, message: fault.description))
        self = with { $0.underlying = fault }
    }

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

extension SockeyeError {
    /// Translates an error in decoding the content coding of a body.
    package init(_ error: CodecError, progress: DecodingProgress = DecodingProgress()) {
        switch error {
        case .tooLarge(let limit):
            let seen = "\(progress.decoded) bytes"
            self.init(error, limit: Limit("decodedBytes", configured: "\(limit) bytes", seen: seen))
        case .ratioExceeded(let limit):
            self.init(error, limit: Limit("decodedRatio", configured: limit, seen: progress.ratio))
        case .notLinked:
            self.init(.init(.badConfiguration, phase: .prepare, blame: .caller, message: error.description))
        default:
            self.init(.init(.badContentCoding, phase: .decode, blame: .peer, message: error.description))
        }
        self = with { $0.underlying = error }
    }

    private init(_ error: CodecError, limit: Limit) {
        var fields = Fields(.limitExceeded, phase: .decode, blame: .policy, message: error.description)
        fields.limit = limit
        self.init(fields)
    }
}

extension SockeyeError {
    /// The error of a response body that exceeds the limit of `collect(upTo:)`.
    package static func tooLarge(limit: Int, seen: Int) -> SockeyeError {
        var fields = Fields(
            .limitExceeded, phase: .body, blame: .policy, message: "the body exceeds the limit of the call")
        fields.limit = Limit("collect(upTo:)", configured: "\(limit) bytes", seen: "\(seen) bytes")
        return SockeyeError(fields)
    }

    /// The error of a request body with another length than declared.
    ///
    /// - Parameter seen: The actual length; nil means more than declared.
    package static func bodyLengthMismatch(_ message: String, declared: Int, seen: Int?) -> SockeyeError {
        var fields = Fields(.bodyLengthMismatch, phase: .send, blame: .caller, message: message)
        fields.limit = Limit(
            "length", configured: "\(declared) bytes", seen: seen.map { "\($0) bytes" } ?? "more")
        return SockeyeError(fields)
    }

    /// The error of a producer of content or trailers. A ``SockeyeError`` is returned unchanged.
    static func bodyFailed(_ message: String, _ error: any Error) -> SockeyeError {
        if let error = error as? SockeyeError { return error }
        var fields = Fields(.bodyFailed, phase: .send, blame: .caller, message: message)
        fields.underlying = error
        return SockeyeError(fields)
    }

    /// The error of a value that cannot be encoded. A ``SockeyeError`` is returned unchanged.
    package static func encodingFailed(_ message: String, _ error: any Error) -> SockeyeError {
        if let error = error as? SockeyeError { return error }
        var fields = Fields(.encodingFailed, phase: .prepare, blame: .caller, message: message)
        fields.underlying = error
        return SockeyeError(fields)
    }
}

extension SockeyeError {
    /// Translates a fault of credentials that cannot be sent.
    package init(_ fault: CredentialFault) {
        self.init(.init(.invalidRequest, phase: .prepare, blame: .caller, message: fault.description))
        self = with { $0.underlying = fault }
    }

    /// The error of credentials that would be sent unencrypted.
    package static func insecureCredentials(_ message: String) -> SockeyeError {
        SockeyeError(.init(.insecureCredentials, phase: .prepare, blame: .policy, message: message))
    }
}

extension Credential {
    /// The encoded Authorization field.
    ///
    /// - Throws: `invalidRequest` if the credentials are too long or contain characters that the field cannot hold, or
    ///   if a token is empty.
    package var checkedField: EncodedField {
        get throws(SockeyeError) {
            let value = try checkedAuthorization
            guard let line = EncodedField.authorization(value) else {
                throw SockeyeError(RequestFault.invalidFieldValue(.authorization))
            }
            return line
        }
    }

    /// The value of the Authorization field, with the same errors as ``checkedField``.
    package var checkedAuthorization: String {
        get throws(SockeyeError) {
            do throws(CredentialFault) {
                return try authorization
            } catch {
                throw SockeyeError(error)
            }
        }
    }
}
