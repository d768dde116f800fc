import SockeyeTestSupport
import Testing

@testable import SockeyeHTTP

@Suite("The LRU table of origins")
struct OriginLRUTests {
    private func origin(_ port: Int) -> HTTPURL.Origin {
        HTTPURL.Origin(scheme: .http, host: "a.example", port: UInt16(port))
    }

    @Test("origins in use stay, and the others are evicted")
    func leastRecentlyUsed() {
        var ledger = OriginLRU<Int>(capacity: 4)
        ledger.add(origin(1), 1)
        for port in 2...100 {
            ledger.add(origin(port), port)
            #expect(ledger.change(origin(1)) { $0 } == 1)
            #expect(ledger.change(origin(port)) { $0 } == port)
            #expect(ledger.count <= 4)
        }
        #expect(ledger.change(origin(2)) { $0 } == nil)
    }

    @Test("the table agrees with a dictionary, whatever is added, changed and removed")
    func model() {
        var random = SplitMix(seed: 7)
        var ledger = OriginLRU<Int>(capacity: 1000)
        var model: [Int: Int] = [:]
        for step in 0..<5000 {
            let port = Int(random.next() % 50) + 1
            switch random.next() % 3 {
            case 0 where model[port] == nil:
                ledger.add(origin(port), step)
                model[port] = step
            case 1:
                ledger.remove(origin(port))
                model[port] = nil
            default:
                let changed: Int? = ledger.change(origin(port)) { entry in
                    entry += 1
                    return entry
                }
                if let value = model[port] { model[port] = value + 1 }
                #expect(changed == model[port])
            }
            #expect(ledger.count == model.count)
        }
        #expect(ledger.isEmpty == model.isEmpty)
    }
}
