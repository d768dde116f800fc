import SockeyePlatform
import Synchronization
import Testing

@Suite("BinarySemaphore", .timeLimit(.minutes(1)))
struct BinarySemaphoreTests {
    @Test("an earlier signal ends a wait at once, and several signals count as one")
    func before() {
        let semaphore = BinarySemaphore()
        semaphore.signal()
        semaphore.signal()
        #expect(semaphore.wait(milliseconds: 60_000))
        #expect(!semaphore.wait(milliseconds: 0))
    }

    @Test("without a signal the wait ends at its timeout")
    func timeout() {
        #expect(!BinarySemaphore().wait(milliseconds: 1))
    }

    @Test("a sleeping thread is woken by each signal")
    func wakes() {
        let (there, back) = (BinarySemaphore(), BinarySemaphore())
        let rounds = 100
        let error = SystemThread.start(named: "semaphore-test") {
            for _ in 0..<rounds where there.wait(milliseconds: 60_000) { back.signal() }
        }
        #expect(error == nil)
        for _ in 0..<rounds {
            there.signal()
            #expect(back.wait(milliseconds: 60_000))
        }
    }
}
