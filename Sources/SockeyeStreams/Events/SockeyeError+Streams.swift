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
    /// Returns the error for a value that could not be decoded, in content that consists of several values.
    ///
    /// - Parameter name: The name of the value, such as `event 3`, with which the message begins.
    func decodingFailure(_ error: any Error, of name: String, in text: Bytes, excerpt: String?) -> SockeyeError {
        decodingFailure(error, body: text, excerpt: excerpt).with { $0.message = "\(name): \($0.message)" }
    }
}
