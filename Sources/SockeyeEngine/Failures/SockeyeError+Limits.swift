extension SockeyeError {
    /// A body is larger than the call accepts.
    package static func tooLarge(limit: Int, seen: Int) -> SockeyeError {
        var fields = Fields(
            .limitExceeded, phase: .body, blame: .policy, message: "the body is larger than the call accepts")
        fields.limit = Limit("collect(upTo:)", configured: "\(limit) bytes", seen: "\(seen) bytes")
        return SockeyeError(fields)
    }

    /// A body that is sent is not as long as declared.
    ///
    /// - Parameter seen: Nil: more than declared.
    package static func bodyLengthMismatch(_ message: String, declared: Int, seen: Int?) -> SockeyeError {
        var fields = Fields(.bodyLengthMismatch, phase: .send, blame: .caller, message: message)
        fields.limit = Limit(
            "length", configured: "\(declared) bytes", seen: seen.map { "\($0) bytes" } ?? "more")
        return SockeyeError(fields)
    }

    /// What was to be sent cannot be encoded.
    package static func encodingFailed(_ message: String, _ error: any Error) -> SockeyeError {
        if let error = error as? SockeyeError { return error }
        var fields = Fields(.encodingFailed, phase: .prepare, blame: .caller, message: message)
        fields.underlying = error
        return SockeyeError(fields)
    }
}
