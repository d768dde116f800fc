import Foundation
import Glibc
import Sockeye
import SockeyeTestSupport
import SockeyeTransfers
import Synchronization

/// More concurrent calls than the process may have descriptors, each to a different origin.
enum Crowd {
    /// The number of descriptors that stay free for other libraries. Sockets leave 32 free, of which files may use 16.
    private static let spare = 12

    static func run() async throws {
        let server = try SeparateServer()
        let limit = try Shortage.Limit(total: 1000)
        let client = HTTPClient(configuration: configuration)
        let least = Shared(Int.max)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<3000 {
                group.addTask {
                    let url = server.url(of: number)
                    try demand(try await client.get(url).text() == "ok", "an answer from \(url)")
                    least.value.withLock { $0 = min($0, free()) }
                }
            }
            try await group.waitForAll()
        }
        limit.restore()
        let found = least.value.withLock { $0 }
        ChildProcess.say("at least \(found) descriptors were free")
        try demand(found >= spare, "\(spare) free descriptors, not \(found)")
    }

    static func downloads() async throws {
        let server = try SeparateServer()
        let limit = try Shortage.Limit(total: 64)
        let client = HTTPClient(configuration: configuration)
        let folder = FileManager.default.temporaryDirectory.appending(path: "sockeye-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let task = try client.download(server.url(of: number), to: "\(folder)/\(number)")
                    try demand(try await task.value.count == 2, "the file of download \(number)")
                }
            }
            try await group.waitForAll()
        }
        limit.restore()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        try demand(names.count == 100 && names.allSatisfy { Int($0) != nil }, "100 files, not \(names)")
    }

    private static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.pool.connections = 10_000
        return configuration
    }

    /// Returns the number of descriptors that can be opened now, up to `spare`.
    private static func free() -> Int {
        let numbers = (0..<spare).map { _ in dup(0) }.filter { $0 >= 0 }
        for number in numbers { close(number) }
        return numbers.count
    }
}

extension SeparateServer {
    /// Returns the URL of one of thousands of origins.
    fileprivate func url(of number: Int) -> String { "http://127.1.\(number / 250).\(number % 250 + 1):\(port)/" }
}
