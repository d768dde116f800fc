public import SockeyeEngine

extension SocketTransport {
    /// Creates the transport that a client with this configuration would use. The transport opens no connection before
    /// the first request.
    ///
    /// - Parameters:
    ///   - configuration: Deadlines, limits, TLS, proxies and so on. Interceptors, monitors and
    ///     ``ClientConfiguration/runningTasks`` belong to a client and are ignored.
    ///   - pool: A pool to share with other clients. Its limits and threads apply instead of those of the
    ///     configuration. Default: nil, a new pool.
    public convenience init(configuration: ClientConfiguration = ClientConfiguration(), pool: ConnectionPool? = nil) {
        if let pool {
            self.init(configuration: configuration.engine, pool: pool, streams: nil)
        } else {
            self.init(configuration: configuration.engine, time: .system, streams: nil)
        }
    }
}
