import SockeyeWebSocket

enum SockeyeLoad {
    static func run(_ load: Load) async throws -> Int {
        let pool = PoolOptions(connectionsPerOrigin: load.connections)
        let client = HTTPClient(configuration: .init(pool: pool))
        let payload = Bytes([UInt8](repeating: 7, count: load.size))
        let end = ContinuousClock.now + .seconds(load.seconds)
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<load.connections {
                group.addTask {
                    try await client.webSocket("ws://127.0.0.1:\(load.port)/") { socket in
                        var messages = socket.messages.makeAsyncIterator()
                        var count = 0
                        while ContinuousClock.now < end {
                            try await socket.send(.binary(payload))
                            guard case .binary(let back)? = try await messages.next(), back.count == load.size else {
                                throw BadUse()
                            }
                            count += 1
                        }
                        return count
                    }
                }
            }
            return try await group.reduce(0, +)
        }
    }
}
