import Sockeye
import SockeyeStreams

/// The tail of a log: JSON lines of a response that ends only when the client stops reading.
struct LogTail {
    let client: HTTPClient

    func printErrors(upTo count: Int) async throws {
        var rest = count
        for try await entry in try await client.get("log").body.jsonLines(of: Entry.self) where entry.level == "error" {
            print("\(entry.time) \(entry.message)")
            rest -= 1
            if rest == 0 { return }
        }
    }
}

struct Entry: Codable, Sendable {
    var time: Int
    var level: String
    var message: String
}
