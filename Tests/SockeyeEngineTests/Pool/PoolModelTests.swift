import SockeyeCore
import Testing

@testable import SockeyeEngine

@Suite("Pool: random operations against a model")
struct PoolModelTests {
    struct Shape: CustomTestStringConvertible, Sendable {
        let perOrigin: Int
        let total: Int
        let keys: Int
        let seed: UInt64

        var testDescription: String { "\(perOrigin) of \(total), \(keys) keys" }
    }

    @Test(
        "random operations keep to the limits and the order, lose no connection and starve no waiter",
        .timeLimit(.minutes(1)),
        arguments: [
            Shape(perOrigin: 1, total: 1, keys: 3, seed: 1),
            Shape(perOrigin: 2, total: 3, keys: 4, seed: 2),
            Shape(perOrigin: 3, total: 8, keys: 2, seed: 3),
            Shape(perOrigin: 4, total: 6, keys: 6, seed: 4),
            Shape(perOrigin: 16, total: 12, keys: 3, seed: 5),
            Shape(perOrigin: 2, total: 5, keys: 12, seed: 6),
        ])
    func randomOperations(shape: Shape) throws {
        var run = PoolModelRun(shape: shape)
        for step in 0..<5_000 {
            do {
                try run.step()
                try run.checkAll()
            } catch let violation as PoolModel.Violation {
                Issue.record("\(violation.rule): step \(step), \(run.lastEvent)")
                return
            }
        }
        try run.drain()
        #expect(run.pool.isDrained)
        #expect(run.pool.machine.holdings.isEmpty)
        #expect(run.served > 100)
        #expect(storedElements(in: run.pool.machine) < 1_000)
    }
}
