public import SockeyeEngine

extension SocketTransport {
    /// Makes the transport that a client over sockets makes for itself. Nothing is opened before the first request.
    ///
    /// - Parameters:
    ///   - configuration: Its deadlines, limits, TLS, proxies and so on. Interceptors, monitors and
    ///     ``ClientConfiguration/runningTasks`` belong to a client and are not used.
    ///   - pool: A pool that others may use, too; its limits and threads count. Default nil: a pool of its own.
    public convenience init(configuration: ClientConfiguration = ClientConfiguration(), pool: ConnectionPool? = nil) {
        if let pool {
            self.init(configuration: configuration.engine, pool: pool, streams: nil)
        } else {
            self.init(configuration: configuration.engine, time: .system, streams: nil)
        }
    }
}
