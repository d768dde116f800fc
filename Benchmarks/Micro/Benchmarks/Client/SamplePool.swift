import Sockeye
import SockeyeCore
import SockeyeHTTP

extension PoolKey: PoolMachineKey {}

/// A pool machine with one connection for each of some origins, and the shell that it needs.
///
/// The machine is generic. Its sources are compiled into this module, through the link beside this file, because code of
/// another module would run it unspecialised, at four times the instructions that it takes inside Sockeye.
struct SamplePool {
    /// A reference, as the connections of a client are: copying one counts it.
    private final class Connection: Sendable {}

    private var machine: PoolMachine<PoolKey, Connection>
    private let keys: [PoolKey]
    /// The connection of each origin.
    private var connections: [ConnectionID] = []
    private let now = MonotonicTime(nanoseconds: 1_000_000_000)

    /// All connections are on lease. Each origin may have one only.
    init(origins count: Int) {
        var limits = PoolLimits()
        limits.perOrigin = 1
        limits.total = count
        machine = PoolMachine(limits: limits)
        let dialer = DialerID()
        keys = (0..<count).map { number in
            let origin = HTTPURL.Origin(scheme: .https, host: "host-\(number).example.com", port: 443)
            return PoolKey(origin: origin, unixSocketPath: nil, dialer: dialer)
        }
        for key in keys {
            guard case .wait(_, let dial?, _) = machine.lease(key, now: now),
                case .serve(_, let lease) = machine.dialSucceeded(dial.id, connection: Connection(), now: now)
            else { fatalError("a pool that does not dial") }
            connections.append(lease.id)
        }
    }

    /// Makes every connection idle.
    mutating func releaseAll() {
        for connection in connections { _ = machine.release(connection, reusable: true, now: now) }
    }

    /// Takes the idle connection of an origin, another one each time, and puts it back.
    /// - Returns: Whether it was lent.
    mutating func leaseAndRelease(_ iteration: Int) -> Bool {
        guard case .use(let lease, _) = machine.lease(keys[place(iteration)], now: now) else { return false }
        _ = machine.release(lease.id, reusable: true, now: now)
        return true
    }

    /// Queues for the connection of an origin, which is on lease, and releases that to the one who waits.
    /// - Returns: Whether it was served.
    mutating func waitAndServe(_ iteration: Int) -> Bool {
        let index = place(iteration)
        guard case .wait = machine.lease(keys[index], now: now) else { return false }
        let decision = machine.release(connections[index], reusable: true, now: now)
        guard case .serve(_, let lease) = decision else { return false }
        connections[index] = lease.id
        return true
    }

    /// All places once before any comes again, and not in their order.
    private func place(_ iteration: Int) -> Int { iteration * 7919 % keys.count }
}
