import Sockeye
import SockeyeCore
import Testing

@Suite("Pool: the line")
struct ParkedWaitersTests {
    /// Continuations are numbers here, and outcomes words.
    private typealias Line = ParkedWaiters<Int, String>

    /// Ids as the machine gives them: those given back are used again, with another serial.
    private func waiters(_ count: Int, of pool: inout PoolFixture) throws -> [WaiterID] {
        try (0..<count).map { _ in try #require(pool.lease().waiter) }
    }

    private func seconds(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

    @Test("hands out each continuation once")
    func once() throws {
        var pool = PoolFixture()
        var line = Line()
        let ids = try waiters(2, of: &pool)
        for (number, id) in ids.enumerated() {
            line.enter(id)
            #expect(line.park(number, as: id, until: .distantFuture).isParked)
        }
        #expect(line.count == 2)
        #expect(line.settle(ids[1], "served") == 1)
        #expect(line.settle(ids[1], "cancelled") == nil)
        #expect(line.settle(ids[0], "cancelled") == 0)
        #expect(line.isEmpty)
        #expect(line.park(7, as: ids[0], until: .distantFuture).outcome == nil, "nobody's any more")
    }

    @Test("gives an earlier deadline to a waiter who is parked, or about to be, and never a later one")
    func hasten() throws {
        var pool = PoolFixture()
        var line = Line()
        let ids = try waiters(3, of: &pool)
        for id in ids { line.enter(id) }
        #expect(line.park(0, as: ids[0], until: seconds(100)).isParked)
        #expect(line.hasten(ids[0], to: seconds(50)) == seconds(50))
        #expect(line.hasten(ids[0], to: seconds(60)) == nil)
        #expect(line.hasten(ids[1], to: seconds(20)) == nil, "whoever parks sets the alarm")
        guard case .parked(let alarm?) = line.park(1, as: ids[1], until: .distantFuture) else {
            Issue.record("no alarm")
            return
        }
        #expect(alarm == seconds(20))
        #expect(line.expired(at: seconds(20)) == [ids[1]])
        #expect(line.settle(ids[1], "late") == 1)
        #expect(line.alarm == seconds(50))
        #expect(line.settle(ids[2], "served") == nil)
        #expect(line.hasten(ids[2], to: seconds(1)) == nil, "not one that is served")
        #expect(line.expired(at: seconds(50)) == [ids[0]])
    }

    @Test("keeps the outcome of a waiter that is settled before its task is suspended")
    func early() throws {
        var pool = PoolFixture()
        var line = Line()
        let ids = try waiters(3, of: &pool)
        for id in ids { line.enter(id) }
        #expect(line.settle(ids[1], "served") == nil)
        #expect(line.settle(ids[1], "cancelled") == nil, "settled is settled")
        #expect(line.count == 2)
        #expect(line.park(0, as: ids[0], until: .distantFuture).isParked)
        #expect(line.park(1, as: ids[1], until: .distantFuture).outcome == "served")
        #expect(line.settle(ids[2], "cancelled") == nil)
        #expect(line.park(2, as: ids[2], until: .distantFuture).outcome == "cancelled")
        #expect(line.settle(ids[0], "served") == 0)
        #expect(storedElements(in: line) < 10)
    }

    @Test("tells a waiter from earlier ones in its place")
    func places() throws {
        var pool = PoolFixture { $0.perOrigin = 1 }
        var line = Line()
        _ = try pool.open()
        let first = try #require(pool.lease().waiter)
        line.enter(first)
        #expect(pool.machine.abandon(first) == .removed)
        #expect(line.settle(first, "cancelled") == nil)
        // The first one's task is still on its way to its place.
        let second = try #require(pool.lease().waiter)
        try #require(first != second)
        line.enter(second)
        #expect(line.park(2, as: second, until: .distantFuture).isParked)
        #expect(line.settle(first, "cancelled") == nil)
        #expect(line.park(1, as: first, until: .distantFuture).outcome == "cancelled")
        #expect(line.settle(second, "served") == 2)
    }

    @Test("asks for the alarm only where it would come too late")
    func alarm() throws {
        var pool = PoolFixture()
        var line = Line()
        let ids = try waiters(5, of: &pool)
        for id in ids { line.enter(id) }
        let deadlines = [MonotonicTime.distantFuture, seconds(60), seconds(61), seconds(10), seconds(10)]
        let alarms = zip(ids, deadlines).enumerated().map { number, waiter in
            line.park(number, as: waiter.0, until: waiter.1).alarm
        }
        #expect(alarms == [nil, seconds(60), nil, seconds(10), nil])
        #expect(line.expired(at: seconds(9)) == [])
        #expect(line.alarm == seconds(10))
        #expect(line.expired(at: seconds(10)) == [ids[3], ids[4]])
        #expect(line.alarm == seconds(60))
        for (number, id) in zip(3..., ids[3...]) { #expect(line.settle(id, "late") == number) }
        #expect(line.settle(ids[1], "served") == 1)
        #expect(line.expired(at: seconds(60)) == [], "the alarm was for somebody who has left")
        #expect(line.alarm == seconds(61))
        #expect(line.expired(at: seconds(62)) == [ids[2]])
        #expect(line.alarm == .distantFuture, "who waits for ever needs none")
        #expect(line.waiters == [ids[0], ids[2]])
    }

    @Test("keeps nothing of ten thousand waiters that were served, gave up or were late")
    func many() throws {
        var pool = PoolFixture { $0.perOrigin = 1 }
        var line = Line()
        _ = try pool.open()
        let ids = try waiters(10_000, of: &pool)
        for (number, id) in ids.enumerated() {
            line.enter(id)
            // Every third is settled before its task gets there.
            if number % 3 == 0 { #expect(line.settle(id, "served") == nil) }
        }
        for (number, id) in ids.enumerated() {
            let parking = line.park(number, as: id, until: seconds(Int64(number % 7)))
            #expect(parking.isParked == (number % 3 != 0))
        }
        let late = line.expired(at: seconds(3))
        #expect(late == ids.enumerated().filter { $0.offset % 3 != 0 && $0.offset % 7 <= 3 }.map(\.element))
        for id in late { #expect(line.settle(id, "late") != nil) }
        #expect(line.alarm == seconds(4))
        for (number, id) in ids.enumerated() where number % 3 != 0 && number % 7 > 3 {
            #expect(line.settle(id, "cancelled") == number)
        }
        #expect(line.isEmpty)
        #expect(storedElements(in: line) < 10)
    }
}

extension ParkedWaiters.Parking {
    fileprivate var isParked: Bool {
        if case .parked = self { true } else { false }
    }
    fileprivate var alarm: MonotonicTime? {
        if case .parked(let alarm) = self { alarm } else { nil }
    }
    fileprivate var outcome: Outcome? {
        if case .settled(let outcome) = self { outcome } else { nil }
    }
}
