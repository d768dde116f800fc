import ArgumentParser
import Foundation
import Sockeye
import SockeyeToolKit

struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Makes a request and prints the content of the response.",
        usage: "sockeye [METHOD] URL [ITEM...] [OPTION...]",
        discussion: "This is what 'sockeye' does where no other subcommand is named.")

    @OptionGroup(title: "Request") var request: RequestArguments
    @OptionGroup(title: "Output") var output: OutputArguments
    @OptionGroup var client: ClientArguments

    @Flag(help: "Prints the request as a command of curl, without secrets, and sends nothing.")
    var curl = false

    func run() async throws {
        let draft = try request.draft()
        try await output.reporting(draft.url) {
            let jar = try await client.policies.jar()
            let client = try client.client(jar)
            let prepared = try PreparedRequest(
                draft, cookies: self.client.policies.cookieField, options: self.client.options)
            if curl {
                try Terminal.output.print(try await prepared.request.curlCommand(as: client).description)
                return
            }
            let response = try await send(prepared, by: client)
            try await show(response, prepared.request.method)
            try await self.client.policies.save(jar)
        }
    }

    private func send(_ prepared: PreparedRequest, by client: HTTPClient) async throws -> IncomingResponse {
        guard prepared.isUpload, Terminal.error.isInteractive, !output.silent else {
            return try await client.send(prepared.request)
        }
        let (counts, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        var request = prepared.request
        request.options.onBodyProgress = { continuation.yield($0) }
        let length = request.body.length
        let drawing = Task {
            var line = ProgressLine("sent", isShown: true)
            await line.follow(counts, total: length)
        }
        let outcome: Result<IncomingResponse, SockeyeError>
        do throws(SockeyeError) {
            outcome = .success(try await client.send(request))
        } catch {
            outcome = .failure(error)
        }
        continuation.finish()
        await drawing.value
        return try outcome.get()
    }

    private func show(_ response: IncomingResponse, _ method: HTTPRequest.Method) async throws {
        if client.policies.fail, response.status.code >= 400 {
            var facts = FailureFacts(.unacceptableStatus, in: .head, asked: response.url.description)
            facts.message = "the server answered \(response.status.code) \(response.reason)"
            facts.status = response.status.code
            throw CommandFailure(facts, output)
        }
        let printer = ResponsePrinter(output)
        if output.json {
            try await printer.record(response, method: method.rawValue)
        } else {
            if output.include || request.head { try printer.head(response) }
            if let path = try outputPath(for: response) {
                try await ContentFile(path, output).write(response)
            } else {
                try await printer.content(response)
            }
        }
        if output.timing || output.verbose { ResponsePrinter.timing(response.metrics) }
    }

    /// Returns the path of the output file; nil for standard output.
    private func outputPath(for response: IncomingResponse) throws -> String? {
        if output.remoteName {
            guard output.output == nil else { throw UsageFault("--output and --remote-name contradict each other") }
            return response.suggestedFileName
        }
        return output.output == "-" ? nil : output.output
    }
}
