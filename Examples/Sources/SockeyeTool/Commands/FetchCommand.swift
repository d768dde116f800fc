import ArgumentParser
import Foundation
import Sockeye
import SockeyeDiagnostics
import SockeyeToolKit

struct FetchCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Makes a request and prints the content of the response.",
        usage: "sockeye [METHOD] URL [ITEM...] [OPTION...]",
        discussion: """
            This is what 'sockeye' does where no other subcommand is named. Several URLs get the same request, one after \
            the other, and the exit status is that of the last one.
            """)

    @OptionGroup(title: "Request") var request: RequestArguments
    @OptionGroup(title: "Output") var output: OutputArguments
    @OptionGroup(title: "Transfer") var transfer: TransferArguments
    @OptionGroup(title: "Connections") var route: RouteArguments
    @OptionGroup(title: "TLS") var tls: TLSArguments
    @OptionGroup(title: "Redirects, cookies, credentials") var policies: PolicyArguments

    @Flag(help: "Prints the request as a command of curl, without secrets, and sends nothing.")
    var curl = false

    func run() async throws {
        let drafts = try request.drafts()
        let format = try transfer.format()
        try check(drafts)
        try await output.reporting(drafts[0].url) {
            try await policies.withJar { jar in
                let client = try makeClient(output, for: drafts[0], jar: jar)
                let printer = ResponsePrinter(output, transfer)
                var failure: CommandFailure?
                for draft in drafts {
                    failure?.tell()
                    failure = try await transfer(draft, by: client, printer, format)
                }
                if let failure { throw failure }
            }
        }
    }

    /// Refuses outputs and contents that do not fit together, or not several URLs.
    private func check(_ drafts: [RequestDraft]) throws {
        guard drafts.count == 1 || output.output == nil else {
            throw UsageFault("--output is for one URL; --remote-name makes a file for each")
        }
        guard drafts.count == 1 || !drafts[0].isSentOnce else {
            throw UsageFault("--upload-file reads a pipe once, for one URL; --data-binary @- keeps its content")
        }
        guard !output.asJSON || !transfer.remoteName && (output.output ?? "-") == "-" else {
            throw UsageFault("--as-json prints the content in its object: --output and --remote-name write no file")
        }
    }

    /// Makes a request, shows its response and prints `--write-out`. Returns the failure, if there is one.
    private func transfer(
        _ draft: RequestDraft, by client: HTTPClient, _ printer: ResponsePrinter, _ format: WriteOutFormat?
    ) async throws -> CommandFailure? {
        var facts = TransferFacts(method: draft.method, url: draft.url)
        let start = ContinuousClock.now
        var failure: CommandFailure?
        do {
            try await exchange(draft, by: client, printer, &facts)
        } catch let error as SockeyeError {
            failure = CommandFailure(error, asked: draft.url, output)
        } catch let error as CommandFailure {
            failure = error
        }
        guard let format, !curl else { return failure }
        facts.elapsed = ContinuousClock.now - start
        facts.exitStatus = failure?.report.status.code ?? 0
        facts.errorMessage = failure?.message ?? ""
        let texts = format.texts(facts)
        try Terminal.output.write(Bytes(texts.output))
        try? Terminal.error.write(Bytes(texts.error))
        return failure
    }

    private func exchange(
        _ draft: RequestDraft, by client: HTTPClient, _ printer: ResponsePrinter, _ facts: inout TransferFacts
    ) async throws {
        let cookies = policies.cookieField
        var prepared = try PreparedRequest(draft, cookies: cookies, options: callOptions)
        let target = try OutputTarget(draft, output, transfer)
        try target.addRange(to: &prepared)
        if curl {
            let command = try await prepared.request.curlCommand(as: client, showingSecrets: output.showSecrets)
            return try Terminal.output.print(command.description)
        }
        let response = try await send(prepared, by: client)
        facts.take(response)
        do {
            try await show(response, draft, target, printer, &facts)
            facts.metrics = response.metrics
        } catch {
            facts.metrics = response.metrics
            throw error
        }
    }

    private func send(_ prepared: PreparedRequest, by client: HTTPClient) async throws -> IncomingResponse {
        guard prepared.isUpload, Terminal.error.isInteractive, output.showsBars else {
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

    private func show(
        _ response: IncomingResponse, _ draft: RequestDraft, _ target: OutputTarget, _ printer: ResponsePrinter,
        _ facts: inout TransferFacts
    ) async throws {
        let refuses = policies.fail || transfer.failWithBody
        // The status 416 is the answer for a file that is already complete.
        let fails = refuses && response.status.code >= 400 && !target.isComplete(response)
        let showsHead = transfer.include || request.head
        // As in curl, the head goes to the same output as the content. A continued file gets no head in its middle.
        let newFile = target.continuesFile ? nil : try target.file(for: response)
        if showsHead, newFile == nil, !output.asJSON { try printer.head(response) }
        let head = showsHead ? printer.plainHead(response) : ""
        try printer.dumpHead(response)
        if fails, !transfer.failWithBody {
            if showsHead { try newFile?.write(head) }
            throw CommandFailure(refusing: response, output)
        }
        // Also refuses a response that does not continue the content.
        let file = try newFile ?? target.file(for: response)
        if output.asJSON {
            try await printer.record(response, method: draft.method)
        } else if let file {
            facts.fileName = file.path
            try await file.write(response, after: newFile == nil ? "" : head)
        } else if !target.isComplete(response) {
            try await printer.content(response)
        }
        if output.timing { ResponsePrinter.timing(response.metrics) }
        if fails { throw CommandFailure(refusing: response, output) }
    }
}
