import Sockeye
import SockeyeStreams
import SockeyeTesting

// snippet.show
struct ChatRequest: Codable, Sendable {
    struct Message: Codable, Sendable {
        var role: String
        var content: String
    }

    var model: String
    var messages: [Message]
    var stream = true
}

struct ChatPart: Codable, Sendable {
    struct Choice: Codable, Sendable { var delta: Delta }
    struct Delta: Codable, Sendable { var content: String? }

    var choices: [Choice]
}

func answer(_ question: String, from api: HTTPClient, show: (String) -> Void)
    async throws
{
    let chat = ChatRequest(
        model: "small", messages: [.init(role: "user", content: question)])
    let events = api.events(.post, "chat/completions", .json(chat))
    for try await part in events.values(of: ChatPart.self, until: "[DONE]") {
        show(part.choices.first?.delta.content ?? "")
    }
}
// snippet.hide

extension Job {
    static let chat = Job("A chat completion by server-sent events") {
        try await withTestServer { (request: TestRequest, responder: TestResponder) in
            let question = try await request.json(ChatRequest.self).messages.last?.content ?? ""
            try await responder.sendHead(headers: [.contentType: "text/event-stream"])
            for word in question.split(separator: " ") {
                let part: JSONValue = ["choices": [["delta": ["content": .string("\(word.uppercased()) ")]]]]
                try await responder.write("data: \(part)\n\n")
            }
            try await responder.write("data: [DONE]\n\n")
            try await responder.finish()
        } run: { server in
            var words: [String] = []
            try await answer("where do salmon go", from: HTTPClient().scoped(baseURL: server.url())) {
                words.append($0)
            }
            return "\(words.joined())in \(words.count) events"
        }
    }
}
