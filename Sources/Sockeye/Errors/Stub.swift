import SockeyeTransport
extension SockeyeError {
    init(_ e: ConnectError, configured: Duration?) { self.init(e.error, phase: .connect, configured: configured) }
    init(_ e: ResolveError, host: String, configured: Duration?) { self.init(.init(.resolutionFailed, phase: .resolve, blame: .network, message: "not found")) }
}
