import HTTPTypes
package import SockeyeCore
import SockeyeHTTP1
import SockeyeTransport

/// Sends requests over sockets: the pool lends a connection, an exchange uses it, and what broke before it could mean
/// anything is done once more.
package final class SocketTransport: HTTPTransport {
    private let box: ClientConfigurationBox
    private let core: Result<TransportCore, SockeyeError>

    package init(configuration: ClientConfiguration, time: TimeSource = .system) {
        box = ClientConfigurationBox(configuration)
        core = Result { () throws(SockeyeError) in try TransportCore(configuration: configuration, time: time) }
    }

    deinit {
        // Exchanges that still run keep the pool through their leases; what is idle ends here.
        guard let pool = try? core.get().pool else { return }
        Task { await pool.closeIdle() }
    }

    var configuration: ClientConfiguration { box.value }

    func started() throws(SockeyeError) -> TransportCore {
        try core.get()
    }

    package func send(_ request: Request) async throws -> Response {
        switch try await perform(request, upgrade: nil) {
        case .response(let response): return response
        case .upgraded(let response, let connection):
            // A tunnel that nobody asked for with `upgrade` is of no use to anybody.
            connection.close()
            return response
        }
    }

    /// Sends a request, again where ``ReplayPolicy`` allows it.
    func perform(_ request: Request, upgrade: String?) async throws(SockeyeError) -> ExchangeOutcome {
        var attempt = 1
        do throws(SockeyeError) {
            let core = try core.get()
            var prepared = try PreparedRequest(
                request, upgrade: upgrade, configuration: box, time: core.time)
            while true {
                let lease = try await acquire(prepared, from: core, fresh: attempt > 1)
                do throws(ExchangeFailure) {
                    return try await ExchangeRunner(lease: lease, pool: core.pool, request: prepared).run()
                } catch {
                    if error.isExpectationRefusal {
                        // Nothing of the body was asked for yet, so even a one-shot body may go now; or it can go again.
                        prepared = PreparedRequest(withoutExpectation: prepared)
                    } else if !ReplayPolicy.mayReplay(
                        request, after: error, isReused: lease.isReused, replays: attempt - 1)
                    {
                        throw error.error
                    }
                    attempt += 1
                }
            }
        } catch {
            throw error.with { fields in
                fields.attempt = attempt
                fields.request = RequestIdentity(method: request.method.rawValue, url: request.url)
            }
        }
    }

    /// A connection on which nothing has happened since it was last used.
    private func acquire(
        _ request: PreparedRequest, from core: TransportCore, fresh: Bool
    ) async throws(SockeyeError) -> ConnectionPool.Lease {
        let key = PoolKey(
            origin: request.url.origin, unixSocketPath: request.options.unixSocketPath,
            dialer: ObjectIdentifier(core.dialer))
        while true {
            if Task.isCancelled { throw SockeyeError(TransportError.cancelled, phase: .pool) }
            let lease = try await core.pool.acquire(key, for: request, dialer: core.dialer, fresh: fresh)
            if !lease.isReused || lease.connection.isQuiet() { return lease }
            await core.pool.foundStale(lease.id)
        }
    }
}
