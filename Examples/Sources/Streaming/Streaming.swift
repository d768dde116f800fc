import Sockeye
import SockeyeTesting

/// Reads content as it arrives, from a server in the same process.
///
///     swift run --package-path Examples streaming
@main
struct Streaming {
    static func main() async throws {
        let question = CommandLine.arguments.dropFirst().joined(separator: " ")
        try await withTestServer(handler: StreamingServer.answer) { server in
            let client = HTTPClient().scoped(baseURL: server.url())
            try await ChatCompletion(client: client).answer(question.isEmpty ? "Where do salmon go?" : question)
            try await LogTail(client: client).printErrors(upTo: 3)
        }
    }
}
