import Sockeye
import SockeyeStreams

/// A chat completion that is printed as it arrives: server-sent events in the response to a POST, up to `[DONE]`.
struct ChatCompletion {
    let client: HTTPClient

    func answer(_ question: String) async throws {
        let chat = Chat(model: "small", messages: [.init(role: "user", content: question)])
        let events = client.events(.post, "chat/completions", .json(chat))
        for try await part in events.values(of: Part.self, until: "[DONE]") {
            print(part.choices.first?.delta.content ?? "", terminator: "")
        }
        print()
    }
}

struct Chat: Codable, Sendable {
    struct Message: Codable, Sendable {
        var role: String
        var content: String
    }

    var model: String
    var messages: [Message]
    var stream = true
}

struct Part: Codable, Sendable {
    struct Choice: Codable, Sendable { var delta: Delta }
    struct Delta: Codable, Sendable { var content: String? }

    var choices: [Choice]
}
