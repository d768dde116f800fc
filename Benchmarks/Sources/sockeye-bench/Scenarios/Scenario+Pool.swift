import BenchmarkKit

extension Scenario {
    /// Scenarios with as many tasks as connections and with many more, which show the cost of waiting for a connection.
    static var poolContention: [Scenario] {
        [8, 1024].map { (tasks: Int) in
            Scenario(
                name: "pool-8-tasks-\(tasks)", server: .plain(.small), job: .get(expecting: ServedFile.small.bytes),
                connections: 8, measure: .requests, isQuick: false, tasks: tasks)
        }
    }
}
