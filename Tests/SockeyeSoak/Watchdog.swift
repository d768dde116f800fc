import Glibc
import Synchronization

/// Reports exchanges that never end, which would otherwise hang the run without a report.
final class Watchdog: Sendable {
    private let running = Mutex<[Int: (exchange: SoakExchange, start: ContinuousClock.Instant)]>([:])

    func started(_ number: Int, _ exchange: SoakExchange) {
        let now = ContinuousClock.now
        running.withLock { $0[number] = (exchange, now) }
    }

    func ended(_ number: Int) {
        running.withLock { $0[number] = nil }
    }

    /// Ends the process when an exchange is far beyond its deadline.
    func run() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            let now = ContinuousClock.now
            var hangs = false
            for (exchange, start) in running.withLock({ Array($0.values) }) {
                let latest: Duration = exchange.behaviour.deadline * 2 + SoakRun.slack * 10
                guard now - start > latest else { continue }
                print("HANGS for \(now - start): \(exchange.behaviour.name) \(exchange.path) \(exchange.ending)")
                hangs = true
            }
            if hangs { exit(2) }
        }
    }
}
