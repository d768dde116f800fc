import SockeyeEngine
import SockeyeHTTP

extension SockeyeError {
    /// Translates a fault in content that is read as lines, JSON texts or events.
    init(_ fault: StreamFault) {
        guard let limit = fault.limit else {
            self.init(.init(.decodingFailed, phase: .decode, blame: .peer, message: fault.description))
            return
        }
        var fields = Fields(.limitExceeded, phase: .decode, blame: .policy, message: fault.description)
        fields.limit = Limit(limit.name, configured: "\(limit.bytes) bytes", seen: "more")
        self.init(fields)
    }
}

extension IncomingResponse {
    /// The error for one of several values in the content.
    ///
    /// - Parameter name: The name of the value, such as `line 3`.
    func decodingFailure(_ error: any Error, of name: String, in text: Bytes, excerpt: String?) -> SockeyeError {
        decodingFailure(error, body: text, excerpt: excerpt).with { $0.message = "\(name): \($0.message)" }
    }
}
