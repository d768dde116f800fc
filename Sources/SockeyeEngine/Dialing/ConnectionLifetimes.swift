import SockeyeCore
package import SockeyeHTTP
import Synchronization

/// Reports how long the connections of a pool were open, to the closures registered with ``observe(_:)``.
package final class ConnectionLifetimes: Sendable {
    /// Receives the origin of a connection that has closed, and the time for which the connection was open.
    package typealias Report = @Sendable (HTTPURL.Origin, Duration) -> Void

    /// The registration of a closure. It ends when this object is released.
    package final class Observation: Sendable {
        private let id: Int
        private let lifetimes: ConnectionLifetimes

        fileprivate init(_ id: Int, _ lifetimes: ConnectionLifetimes) {
            (self.id, self.lifetimes) = (id, lifetimes)
        }

        deinit { lifetimes.reports.withLock { $0[id] = nil } }
    }

    private static let lastID = Atomic(0)
    private let reports = Mutex<[Int: Report]>([:])

    /// Calls a closure for each connection that closes while the returned object exists. A connection opened before
    /// this call is reported only if another observation existed when the connection was opened.
    package func observe(_ report: @escaping Report) -> Observation {
        let id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        reports.withLock { $0[id] = report }
        return Observation(id, self)
    }

    /// Tracks a new connection if there is an observation.
    func track(_ connection: OriginConnection, to origin: HTTPURL.Origin, by time: TimeSource) {
        guard reports.withLock({ !$0.isEmpty }) else { return }
        connection.track(ConnectionLifetime(origin, time, self))
    }

    fileprivate func ended(_ origin: HTTPURL.Origin, after duration: Duration) {
        for report in reports.withLock({ Array($0.values) }) { report(origin, duration) }
    }
}

/// The lifetime of one connection. It ends when the connection closes and releases this object.
final class ConnectionLifetime: Sendable {
    private let origin: HTTPURL.Origin
    private let time: TimeSource
    private let opened: MonotonicTime
    private let lifetimes: ConnectionLifetimes

    init(_ origin: HTTPURL.Origin, _ time: TimeSource, _ lifetimes: ConnectionLifetimes) {
        self.origin = origin
        self.time = time
        self.lifetimes = lifetimes
        opened = time.now
    }

    deinit { lifetimes.ended(origin, after: time.now.since(opened)) }
}
