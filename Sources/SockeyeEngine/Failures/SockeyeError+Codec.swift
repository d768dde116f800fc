package import SockeyeHTTP

extension SockeyeError {
    /// Translates what is wrong with a coded body.
    ///
    /// - Parameter progress: How far decoding has come.
    package init(_ error: CodecError, progress: DecodingProgress = DecodingProgress()) {
        switch error {
        case .tooLarge(let limit):
            let seen = "\(progress.decoded) bytes"
            self.init(error, limit: Limit("decodedBytes", configured: "\(limit) bytes", seen: seen))
        case .ratioExceeded(let limit):
            self.init(error, limit: Limit("decodedRatio", configured: limit, seen: progress.ratio))
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
