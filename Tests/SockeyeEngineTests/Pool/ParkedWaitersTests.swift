import SockeyeCore
import Testing

@testable import SockeyeEngine

@Suite("Pool: parked waiters")
struct ParkedWaitersTests {
    /// In these tests a continuation is a number and an outcome is a word.
    private typealias Parked = ParkedWaiters<Int, String>

    /// Returns identifiers as the pool's state machine assigns them. The machine reuses the slots of released
    /// identifiers with a new serial number.
    private func waiters(_ count: Int, of pool: inout PoolFixture) throws -> [WaiterID] {
        try (0..<count).map { _ in try #require(pool.lease().waiter) }
    }

    private func seconds(_ seconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: seconds * 1_000_000_000) }

    @Test("settling a parked waiter returns its continuation, but only the first time")
    func once() throws {
        var pool = PoolFixture()
        var parked = Parked()
        let ids = try waiters(2, of: &pool)
        for (number, id) in ids.enumerated() {
            parked.enter(id)
            #expect(parked.park(number, as: id, until: .distantFuture).isParked)
        }
        #expect(parked.count == 2)
        #expect(parked.settle(ids[1], "served") == 1)
        #expect(parked.settle(ids[1], "cancelled") == nil)
        #expect(parked.settle(ids[0], "cancelled") == 0)
        #expect(parked.isEmpty)
        #expect(parked.park(7, as: ids[0], until: .distantFuture).outcome == nil, "the waiter was already settled")
    }

    @Test("a wait can be shortened before the waiter parks and while it is parked, but never extended")
    func shortenWait() throws {
        var pool = PoolFixture()
        var parked = Parked()
        let ids = try waiters(3, of: &pool)
        for id in ids { parked.enter(id) }
        #expect(parked.park(0, as: ids[0], until: seconds(100)).isParked)
        #expect(parked.shortenWait(ids[0], to: seconds(50)) == seconds(50))
        #expect(parked.shortenWait(ids[0], to: seconds(60)) == nil)
        #expect(parked.shortenWait(ids[1], to: seconds(20)) == nil, "parking sets the alarm")
        guard case .parked(let wakeTime?) = parked.park(1, as: ids[1], until: .distantFuture) else {
            Issue.record("no alarm")
            return
        }
        #expect(wakeTime == seconds(20))
        #expect(parked.expired(at: seconds(20)) == [ids[1]])
        #expect(parked.settle(ids[1], "late") == 1)
        #expect(parked.wakeTime == seconds(50))
        #expect(parked.settle(ids[2], "served") == nil)
        #expect(parked.shortenWait(ids[2], to: seconds(1)) == nil, "a served waiter has no deadline")
        #expect(parked.expired(at: seconds(50)) == [ids[0]])
    }

    @Test("the outcome of a waiter that is settled before its task suspends is kept")
    func early() throws {
        var pool = PoolFixture()
        var parked = Parked()
        let ids = try waiters(3, of: &pool)
        for id in ids { parked.enter(id) }
        #expect(parked.settle(ids[1], "served") == nil)
        #expect(parked.settle(ids[1], "cancelled") == nil, "a settled waiter cannot be settled again")
        #expect(parked.count == 2)
        #expect(parked.park(0, as: ids[0], until: .distantFuture).isParked)
        #expect(parked.park(1, as: ids[1], until: .distantFuture).outcome == "served")
        #expect(parked.settle(ids[2], "cancelled") == nil)
        #expect(parked.park(2, as: ids[2], until: .distantFuture).outcome == "cancelled")
        #expect(parked.settle(ids[0], "served") == 0)
        #expect(storedElements(in: parked) < 10)
    }

    @Test("a waiter is distinguished from an earlier waiter in the same slot")
    func places() throws {
        var pool = PoolFixture { $0.perOrigin = 1 }
        var parked = Parked()
        _ = try pool.open()
        let first = try #require(pool.lease().waiter)
        parked.enter(first)
        #expect(pool.machine.abandon(first) == .removed)
        #expect(parked.settle(first, "cancelled") == nil)
        // The task of the first waiter has not parked yet.
        let second = try #require(pool.lease().waiter)
        try #require(first != second)
        parked.enter(second)
        #expect(parked.park(2, as: second, until: .distantFuture).isParked)
        #expect(parked.settle(first, "cancelled") == nil)
        #expect(parked.park(1, as: first, until: .distantFuture).outcome == "cancelled")
        #expect(parked.settle(second, "served") == 2)
    }

    @Test("parking asks for an alarm only if the current alarm would be too late")
    func wakeTime() throws {
        var pool = PoolFixture()
        var parked = Parked()
        let ids = try waiters(5, of: &pool)
        for id in ids { parked.enter(id) }
        let deadlines = [MonotonicTime.distantFuture, seconds(60), seconds(61), seconds(10), seconds(10)]
        let alarms = zip(ids, deadlines).enumerated().map { number, waiter in
            parked.park(number, as: waiter.0, until: waiter.1).wakeTime
        }
        #expect(alarms == [nil, seconds(60), nil, seconds(10), nil])
        #expect(parked.expired(at: seconds(9)) == [])
        #expect(parked.wakeTime == seconds(10))
        #expect(parked.expired(at: seconds(10)) == [ids[3], ids[4]])
        #expect(parked.wakeTime == seconds(60))
        for (number, id) in zip(3..., ids[3...]) { #expect(parked.settle(id, "late") == number) }
        #expect(parked.settle(ids[1], "served") == 1)
        #expect(parked.expired(at: seconds(60)) == [], "the alarm was for a settled waiter")
        #expect(parked.wakeTime == seconds(61))
        #expect(parked.expired(at: seconds(62)) == [ids[2]])
        #expect(parked.wakeTime == .distantFuture, "an unlimited wait needs no alarm")
        #expect(parked.waiters == [ids[0], ids[2]])
    }

    @Test("after a failed timer the next waiter with a deadline asks for an alarm, even if its deadline is later")
    func failedTimer() throws {
        var pool = PoolFixture()
        var parked = Parked()
        let ids = try waiters(3, of: &pool)
        for id in ids { parked.enter(id) }
        #expect(parked.park(0, as: ids[0], until: seconds(10)).wakeTime == seconds(10))
        #expect(parked.settle(ids[0], "failed") == 0)
        #expect(parked.timerFailed()?.id == nil)
        #expect(parked.park(1, as: ids[1], until: .distantFuture).wakeTime == nil)
        #expect(parked.park(2, as: ids[2], until: seconds(60)).wakeTime == seconds(60))
        #expect(parked.expired(at: seconds(60)) == [ids[2]])
    }

    @Test("after a failed timer the parked waiter with the earliest deadline is the next to get an alarm")
    func othersOfFailedTimer() throws {
        var pool = PoolFixture()
        var parked = Parked()
        let ids = try waiters(4, of: &pool)
        for id in ids { parked.enter(id) }
        let deadlines = [seconds(10), seconds(60), seconds(20), MonotonicTime.distantFuture]
        let alarms = zip(ids, deadlines).enumerated().map { number, waiter in
            parked.park(number, as: waiter.0, until: waiter.1).wakeTime
        }
        #expect(alarms == [seconds(10), nil, nil, nil])
        #expect(parked.settle(ids[0], "failed") == 0)
        let next = parked.timerFailed()
        #expect(next?.id == ids[2] && next?.deadline == seconds(20) && parked.wakeTime == seconds(20))
        #expect(parked.expired(at: seconds(20)) == [ids[2]])
        #expect(parked.wakeTime == seconds(60))
    }

    @Test("ten thousand waiters that were served, cancelled or late leave nothing behind")
    func many() throws {
        var pool = PoolFixture { $0.perOrigin = 1 }
        var parked = Parked()
        _ = try pool.open()
        let ids = try waiters(10_000, of: &pool)
        for (number, id) in ids.enumerated() {
            parked.enter(id)
            // Every third waiter is settled before its task parks.
            if number % 3 == 0 { #expect(parked.settle(id, "served") == nil) }
        }
        for (number, id) in ids.enumerated() {
            let parking = parked.park(number, as: id, until: seconds(Int64(number % 7)))
            #expect(parking.isParked == (number % 3 != 0))
        }
        let late = parked.expired(at: seconds(3))
        #expect(late == ids.enumerated().filter { $0.offset % 3 != 0 && $0.offset % 7 <= 3 }.map(\.element))
        for id in late { #expect(parked.settle(id, "late") != nil) }
        #expect(parked.wakeTime == seconds(4))
        for (number, id) in ids.enumerated() where number % 3 != 0 && number % 7 > 3 {
            #expect(parked.settle(id, "cancelled") == number)
        }
        #expect(parked.isEmpty)
        #expect(storedElements(in: parked) < 10)
    }
}

extension ParkedWaiters.Parking {
    fileprivate var isParked: Bool {
        if case .parked = self { true } else { false }
    }
    fileprivate var wakeTime: MonotonicTime? {
        if case .parked(let wakeTime) = self { wakeTime } else { nil }
    }
    fileprivate var outcome: Outcome? {
        if case .settled(let outcome) = self { outcome } else { nil }
    }
}
