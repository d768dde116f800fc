import SockeyeSerialization

extension SockeyeError {
    /// Translates why parameters cannot be written.
    init(_ error: ParameterEncodingError) {
        self.init(
            .init(
                .invalidRequest, phase: .prepare, blame: .caller, message: "a parameter cannot be encoded: \(error)"))
        self = with { $0.underlying = error }
    }
}
