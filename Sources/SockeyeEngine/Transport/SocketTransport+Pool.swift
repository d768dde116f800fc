import SockeyeCore
package import SockeyeHTTP
package import SockeyeNet

// What a client does with its connections besides sending requests. Where there were no descriptors to begin with, there is
// nothing to do it with.
extension SocketTransport {
    /// The poller that requests wait with; see ``HTTPClient/executor``.
    package var poller: EpollPoller? { try? started().poller }

    /// What the pool holds at this moment.
    package func poolStatistics() async -> PoolStatistics? {
        guard let core = try? started() else { return nil }
        return await core.pool.statistics
    }

    /// Opens connections ahead of need, within the limits of the pool, and returns at once.
    ///
    /// - Parameters:
    ///   - timeouts: Before the client's.
    ///   - isOutsideScope: Whether the client certificate is not meant for where the URL leads.
    package func prewarm(
        _ url: HTTPURL, connections: Int, unixSocketPath: String?, timeouts: Timeouts?, isOutsideScope: Bool
    ) async throws(SockeyeError) {
        let core = try started()
        let proxy = try core.proxy(for: url, unixSocketPath: unixSocketPath)
        var options = OutgoingRequest.Options()
        if isOutsideScope { options.isOutsideScope = true }
        let tls = core.dialer.tls.setting(for: url, options)
        let key = PoolKey(
            origin: url.origin, unixSocketPath: unixSocketPath, proxy: proxy,
            dialer: ObjectIdentifier(core.dialer), tls: url.scheme == .https ? tls.id : 0)
        let target = DialTarget(
            url: url, unixSocketPath: unixSocketPath, proxy: proxy,
            timeouts: timeouts?.over(configuration.timeouts) ?? configuration.timeouts, dialer: core.dialer, tls: tls)
        await core.pool.prewarm(key, count: connections, target: target)
    }

    /// Closes the connections that nobody uses.
    package func closeIdleConnections() async {
        guard let core = try? started() else { return }
        await core.pool.closeIdle()
    }

    /// Takes no more requests, and waits at most `limit` for those that there are where they may finish.
    package func shutDown(graceful: Bool, within limit: Duration) async {
        guard let core = try? started() else { return }
        await core.pool.shutDown(graceful: graceful)
        let deadline = core.poller.time.now.advanced(by: limit)
        if graceful, let sleeper = try? await core.pool.drained() {
            if await sleeper.sleep(until: deadline) != .ready { await core.pool.shutDown(graceful: false) }
        }
    }
}
