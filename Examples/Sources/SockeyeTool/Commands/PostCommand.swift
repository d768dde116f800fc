import ArgumentParser
import Sockeye

struct PostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "post", abstract: "Sends JSON, a form or text, and prints the answer.")

    @OptionGroup var common: CommonOptions

    @Option(help: "JSON to send, checked before it goes out.")
    var json: String?

    @Option(help: "A field of a form, such as name=coast.")
    var form: [String] = []

    @Option(help: "Text to send.")
    var data: String?

    @Option(name: [.customShort("X"), .long], help: "Another method than POST.")
    var method = "POST"

    func run() async throws {
        guard let method = HTTPRequest.Method(method) else {
            throw ValidationError("'\(method)' is no method.")
        }
        let client = try common.client()
        var request = try OutgoingRequest(
            method: method, url: common.url, headers: common.headers(), options: common.options)
        if let json {
            request.body = .string(try JSONValue(parsing: json).description)
            request.headers = request.headers.merging([.contentType: "application/json", .accept: "application/json"])
        } else if !form.isEmpty {
            request = try HTTPRequestSerializer().serialize(RequestParameters(assignments: form), into: request)
        } else if let data {
            request.body = .string(data)
        }
        try await ResponsePrinter(common).show(client.send(request))
    }
}
