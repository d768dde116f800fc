import Sockeye
import SockeyeCore
import SockeyeHTTP

extension PoolKey: PoolMachineKey {}

/// A pool machine with one connection for each of several origins.
///
/// The machine is generic. Its sources are compiled into this module, through the link in this folder, because another
/// module would run it unspecialised, with four times the instructions that it takes inside Sockeye.
struct SamplePool {
    /// A reference type like the connections of a client, so that copying one counts references.
    private final class Connection: Sendable {}

    private var machine: PoolMachine<PoolKey, Connection>
    private let keys: [PoolKey]
    /// The connection of each origin.
    private var connections: [ConnectionID] = []
    private let now = MonotonicTime(nanoseconds: 1_000_000_000)

    /// Makes a pool in which all connections are leased. Each origin may have one connection.
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

    /// Leases the idle connection of an origin, another origin each time, and releases it.
    /// - Returns: True if it was leased.
    mutating func leaseAndRelease(_ iteration: Int) -> Bool {
        guard case .use(let lease, _) = machine.lease(keys[place(iteration)], now: now) else { return false }
        _ = machine.release(lease.id, reusable: true, now: now)
        return true
    }

    /// Waits for the connection of an origin, which is leased, and releases it to the waiter.
    /// - Returns: True if the waiter got it.
    mutating func waitAndServe(_ iteration: Int) -> Bool {
        let index = place(iteration)
        guard case .wait = machine.lease(keys[index], now: now) else { return false }
        let decision = machine.release(connections[index], reusable: true, now: now)
        guard case .serve(_, let lease) = decision else { return false }
        connections[index] = lease.id
        return true
    }

    /// Returns each place once before any place repeats, not in order.
    private func place(_ iteration: Int) -> Int { iteration * 7919 % keys.count }
}
