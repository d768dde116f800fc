import Foundation
import SockeyeTesting

/// The server: a chat service that repeats the question word by word, and an endless log.
enum StreamingServer {
    @Sendable static func answer(_ request: TestRequest, _ responder: TestResponder) async throws {
        switch (request.method, request.path) {
        case (.post, "/chat/completions"): try await chat(try await request.json(Chat.self), responder)
        case (.get, "/log"): try await log(responder)
        default: try await responder.send(.status(404))
        }
    }

    private static func chat(_ chat: Chat, _ responder: TestResponder) async throws {
        try await responder.sendHead(headers: [.contentType: "text/event-stream"])
        for word in ["You", "asked:"] + (chat.messages.last?.content.split(separator: " ").map(String.init) ?? []) {
            let part = Part(choices: [.init(delta: .init(content: word + " "))])
            try await responder.write("data: \(try json(part))\n\n")
            try await Task.sleep(for: .milliseconds(50))
        }
        try await responder.write("data: [DONE]\n\n")
        try await responder.finish()
    }

    private static func log(_ responder: TestResponder) async throws {
        try await responder.sendHead(headers: [.contentType: "application/x-ndjson"])
        var time = 0
        do {
            while true {
                let isError = time % 3 == 2
                let entry = Entry(
                    time: time, level: isError ? "error" : "info", message: isError ? "the disk is full" : "all is well"
                )
                try await responder.write(try json(entry) + "\n")
                time += 1
                try await Task.sleep(for: .milliseconds(20))
            }
        } catch let error as TestServerError where error.code == .disconnected {
            // The reader has closed the connection.
            return
        }
    }

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
}
