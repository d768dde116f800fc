import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import Synchronization

/// Chooses a proxy for each URL by a ``Proxy/Selection``. Everything that does not depend on the URL is computed once.
struct ProxyChooser: Sendable {
    private enum Choice: Sendable {
        case fixed(Result<Proxy, SockeyeError>)
        /// Each proxy is created once, because it remembers how its authentication challenges were answered.
        case environment(ProxyEnvironment, [ProxyAddress: Result<Proxy, SockeyeError>])
        case choosing(@Sendable (HTTPURL) -> Proxy?)
        case routing(@Sendable (HTTPURL) async throws -> [Proxy.Route])
    }

    private let choice: Choice
    private let absences = ProxyAbsences()

    /// Nil if the configuration uses no proxy.
    init?(_ configuration: Proxy.Selection, environment: EnvironmentVariables = .process) {
        switch configuration.choice {
        case .none: return nil
        case .fixed(let proxy): choice = .fixed(proxy)
        case .environment:
            let environment = ProxyEnvironment { environment[$0] }
            let proxies = environment.addresses.map { address in
                (address, Result { () throws(SockeyeError) in try Proxy(address) })
            }
            choice = .environment(environment, Dictionary(proxies) { first, _ in first })
        case .choosing(let choose): choice = .choosing(choose)
        case .routing(let route): choice = .routing(route)
        }
    }

    /// True if an asynchronous closure chooses the routes.
    var isRouted: Bool { if case .routing = choice { true } else { false } }

    /// Returns the proxy for a URL; nil for a direct connection. If ``isRouted`` is true, the result is always nil, and
    /// ``routes(to:at:_:)`` returns the proxies.
    func proxy(for url: HTTPURL) throws(SockeyeError) -> Proxy? {
        switch choice {
        case .fixed(let proxy): return try proxy.get()
        case .choosing(let choose): return choose(url)
        case .routing: return nil
        case .environment(let environment, let proxies):
            let address: ProxyAddress?
            do throws(ProxyAddressFault) {
                address = try environment.proxy(for: url)
            } catch {
                throw .badProxy(error.description)
            }
            return try address.flatMap { proxies[$0] }?.get()
        }
    }

    /// Returns the routes to a URL, at least one. A nil element is a direct connection. Proxies that were recently
    /// unreachable come last.
    func routes(to url: HTTPURL, at now: MonotonicTime, _ runner: DeadlineRunner) async throws(SockeyeError) -> [Proxy?]
    {
        guard case .routing(let route) = choice else { return [try proxy(for: url)] }
        let answer: Result<[Proxy.Route], any Error>
        do throws(TransportError) {
            answer = try await runner.run { try await route(url) }
        } catch {
            throw SockeyeError(error, phase: .prepare)
        }
        do {
            let proxies = try answer.get().map(\.proxy)
            return proxies.isEmpty ? [nil] : absences.ordered(proxies, at: now)
        } catch {
            throw SockeyeError(
                .badConfiguration, wrapping: error, "the closure that chooses proxies failed", phase: .prepare)
        }
    }

    /// Records whether a proxy was reached.
    func note(_ proxy: Proxy, isReached: Bool, at now: MonotonicTime) {
        absences.note(proxy, isReached: isReached, at: now)
    }
}

/// The proxies that were recently unreachable.
final class ProxyAbsences: Sendable {
    /// The time for which an unreachable proxy is tried last. Chromium uses the same time.
    static let duration = Duration.seconds(300)
    /// The maximum number of recorded proxies. Further proxies are not recorded.
    private static let limit = 256

    /// The time until which each unreachable proxy is tried last.
    private let ends = Mutex<[Proxy: MonotonicTime]>([:])

    /// Moves the proxies that were recently unreachable to the end. Direct connections (nil elements) count as
    /// reachable.
    func ordered(_ proxies: [Proxy?], at now: MonotonicTime) -> [Proxy?] {
        ends.withLock { ends in
            guard !ends.isEmpty else { return proxies }
            func isAbsent(_ proxy: Proxy?) -> Bool { proxy.flatMap { ends[$0] }.map { $0 > now } ?? false }
            return proxies.filter { !isAbsent($0) } + proxies.filter(isAbsent)
        }
    }

    func note(_ proxy: Proxy, isReached: Bool, at now: MonotonicTime) {
        ends.withLock { ends in
            guard !isReached else {
                if !ends.isEmpty { ends[proxy] = nil }
                return
            }
            if ends.count >= Self.limit { ends = ends.filter { $0.value > now } }
            if ends.count < Self.limit { ends[proxy] = now.advanced(by: Self.duration) }
        }
    }
}
