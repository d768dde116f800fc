package import SockeyeEngine

extension SockeyeError {
    /// Returns an error as the engine throws it.
    package static func failure(_ code: Code, in phase: Phase = .head, blame: Blame = .peer) -> SockeyeError {
        SockeyeError(.init(code, phase: phase, blame: blame, message: "as it happens"))
    }
}
