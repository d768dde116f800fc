import Foundation
import Sockeye
import SockeyeStreams
import SockeyeTestSupport
import Testing

/// The snippets of Streaming.md: compiled, not run.
@Suite("Snippets of Streaming.md")
struct StreamingArticle {
    @Test("every line of a snippet is compiled here")
    func snippets() throws {
        let file = URL(filePath: #filePath)
        let article = file.deletingLastPathComponent().appending(
            path: "../../../Sources/SockeyeStreams/Documentation.docc/Streaming.md")
        let snippets = try ArticleSnippets(of: article.standardizedFileURL)
        #expect(snippets.count == 8)
        #expect(snippets.lines(missingIn: try String(contentsOf: file, encoding: .utf8)) == [])
    }

    struct Entry: Codable, Sendable {
        var time: Int
        var level: String
        var message: String
    }

    struct Chat: Codable, Sendable {
        struct Message: Codable, Sendable {
            var role: String
            var content: String
        }

        var model: String
        var messages: [Message]
    }

    struct Part: Codable, Sendable {
        struct Choice: Codable, Sendable { var delta: Delta }
        struct Delta: Codable, Sendable { var content: String? }

        var choices: [Choice]
    }

    func lines(client: HTTPClient, response: IncomingResponse) async throws {
        for try await line in try await client.get("access.log").body.lines { print(line) }
        var failures = 0
        try await response.body.forEachLine { line in
            if line.count > 3, line[0] == UInt8(ascii: "5") { failures += 1 }
        }
    }

    func jsonLines(client: HTTPClient, entries: [Entry]) async throws {
        for try await entry in try await client.get("log").body.jsonLines(of: Entry.self) where entry.level == "error" {
            print(entry.time, entry.message)
        }
        try await client.post("bulk", .jsonLines(entries))
    }

    func events(client: HTTPClient, stored: String) async throws {
        for try await event in client.events("feed") { print(event.name, event.data, event.id) }

        var options = OutgoingRequest.Options.eventStream(idle: .seconds(300), lastEventID: stored)
        options.eventStream.reconnection.attempts = 100
        for try await update in client.events("feed", options: options).updates {
            switch update {
            case .opened(let response): print("connected to \(response.url)")
            case .event(let event): print(event.data)
            case .lost(let error, let pause): print("lost, again in \(pause)", error?.message ?? "")
            }
        }
    }

    func chat(client: HTTPClient, question: String, show: (Part) -> Void) async throws {
        let chat = Chat(model: "small", messages: [.init(role: "user", content: question)])
        let events = client.events(.post, "chat/completions", .json(chat))
        for try await part in events.values(of: Part.self, until: "[DONE]") {
            print(part.choices.first?.delta.content ?? "", terminator: "")
        }

        let response = try await client.post("chat/completions", .json(chat))
        for try await part in response.body.events(of: Part.self, until: "[DONE]") { show(part) }
    }

    /// The snippet of SockeyeStreams.md about multipart.
    func parts(of response: IncomingResponse) async throws {
        for try await part in try response.parts() {
            print(part.headers[.contentRange] ?? "", try await part.bytes().count)
        }
    }
}
