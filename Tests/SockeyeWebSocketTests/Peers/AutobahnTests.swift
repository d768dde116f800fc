import Foundation
import Sockeye
import SockeyeCore
import SockeyeWebSocket
import Testing

enum FuzzingServer {
    static let url = ProcessInfo.processInfo.environment["SOCKEYE_AUTOBAHN"]
}

/// The cases of Autobahn's fuzzing server, if one runs: `SOCKEYE_AUTOBAHN=ws://127.0.0.1:9001 swift test --filter
/// Autobahn`.
///
/// The server judges the results. Its report on this library is in Autobahn.md beside this file.
@Suite(
    "Autobahn's fuzzing server",
    .enabled(if: FuzzingServer.url != nil, "SOCKEYE_AUTOBAHN is not set"),
    .timeLimit(.minutes(30)))
struct AutobahnTests {
    private let client = HTTPClient()
    private let server: String

    init() throws {
        server = try #require(FuzzingServer.url)
    }

    private func message(at path: String) async throws -> WebSocketConnection.Message? {
        try await client.webSocket(server + path) { socket in
            var messages = socket.messages.makeAsyncIterator()
            return try await messages.next()
        }
    }

    @Test("the client runs every case, and the server reports")
    func cases() async throws {
        guard case .text(let text)? = try await message(at: "/getCaseCount"), let count = Int(text) else {
            Issue.record("no number of cases")
            return
        }
        var options = WebSocketConnection.Options(compression: .init())
        options.limits.messageBytes = 64 << 20
        options.compression?.minimumSize = 0
        for number in 1...count {
            // The server judges how a case ends.
            try? await client.webSocket("\(server)/runCase?case=\(number)&agent=Sockeye", options: .webSocket(options))
            { socket in
                for try await message in socket.messages { try await socket.send(message) }
            }
        }
        for path in ["/updateReports?agent=Sockeye", "/done"] {
            _ = try? await message(at: path)
        }
    }
}
