import Sockeye
import SockeyeEngine

extension Response {
    /// The error of a call whose body is no XML.
    func failure(_ error: XMLError, body: Bytes?) -> SockeyeError {
        decodingFailure(
            error, body: body, excerpt: "line \(error.line), column \(error.column): \(error.excerpt)",
            message: "the body is not acceptable XML: \(error.kind) at line \(error.line), column \(error.column)")
    }

    /// The error of a call whose task was cancelled while its body was parsed.
    var cancellation: SockeyeError {
        let fields = SockeyeError.Fields(
            .cancelled, phase: .decode, blame: .caller, message: "the task was cancelled")
        return SockeyeError(fields).about(request)
    }
}
