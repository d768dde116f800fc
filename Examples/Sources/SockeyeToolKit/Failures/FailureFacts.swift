import Sockeye

/// The properties of an error that determine its exit status and its hint.
package struct FailureFacts: Sendable, Hashable {
    package var code: SockeyeError.Code
    package var phase: SockeyeError.Phase
    package var message = ""
    package var blame: SockeyeError.Blame?
    /// The URL as it was given on the command line.
    package var asked: String?
    /// The URL of the request, normalised; nil if it cannot be parsed.
    package var url: HTTPURL?
    package var urlFault: HTTPURL.Fault.Code?
    package var tlsReason: TLSError.Reason?
    /// The name of the limit or deadline.
    package var limit: String?
    /// The status of a response that was refused.
    package var status: Int?
    /// The exit status, if the code does not determine it.
    package var exitStatus: ExitStatus?

    package init(_ code: SockeyeError.Code, in phase: SockeyeError.Phase = .prepare, asked: String? = nil) {
        self.code = code
        self.phase = phase
        self.asked = asked
        do throws(HTTPURL.Fault) {
            url = try asked.map { text throws(HTTPURL.Fault) in try HTTPURL(text) }
        } catch {
            urlFault = error.code
        }
    }

    /// - Parameter asked: The URL as it was given.
    package init(_ error: SockeyeError, asked: String?) {
        self.init(error.code, in: error.phase, asked: asked)
        message = error.message
        blame = error.blame
        if let text = error.url, let known = try? HTTPURL(text) { url = known }
        if error.code == .tlsFailed || error.code == .badConfiguration { tlsReason = error.tlsFailure?.reason }
        limit = error.limit?.name
        status = error.response?.status.code
    }
}
