import ArgumentParser
import Foundation
import Sockeye
import SockeyeToolKit
import SockeyeTransfers

struct DownloadCommand: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Fetches a file, and goes on with one that was not complete.",
        discussion: """
            The state of the download is kept beside the file, with the ending '.sockeye-resume' and for its owner alone. \
            When the command is started again, it continues, if the server lets it. A file appears when it is complete, \
            and not before.
            """)

    @Argument(help: "The URL.") var url: String

    @Option(name: [.customShort("H"), .long], help: "A field of the request, such as 'Accept: text/html'.")
    var header: [String] = []

    @Option(help: "What the file has to hash to, as SHA-256 in hexadecimal.")
    var sha256: String?

    @Option(help: "In how many parts it is fetched at the same time, 1 to 16.")
    var parallel = 1

    @OptionGroup(title: "Output") var output: OutputArguments
    @OptionGroup(title: "Connections") var route: RouteArguments
    @OptionGroup(title: "TLS") var tls: TLSArguments
    @OptionGroup(title: "Redirects, cookies, credentials") var policies: PolicyArguments

    func run() async throws {
        let options = try options()
        var arguments = RequestDraft.Arguments()
        arguments.positionals = [url]
        arguments.fields = header
        let draft = try RequestDraft(arguments)
        try await output.reporting(url) {
            try await policies.withJar { jar in
                let client = try makeClient(output, for: draft, jar: jar)
                try await download(draft.headers, options, by: client)
            }
        }
    }

    private func download(
        _ fields: Headers, _ options: OutgoingRequest.Options, by client: HTTPClient
    ) async throws {
        var headers = fields
        if let field = policies.cookieField { headers.append("Cookie", field) }
        var resumeFile = ResumeFile(for: output.output ?? ResumeFile.name(for: url))
        let task: DownloadTask
        let earlier = try await resumeFile.load(for: url) { tell("discarding an earlier download: \($0)") }
        if let resumeData = earlier {
            tell("going on: \(resumeData)")
            task = try client.download(resuming: resumeData, to: destination, headers: headers, options: options)
        } else {
            task = try client.download(url, to: destination, headers: headers, options: options)
        }
        try await finish(task, resumeFile)
    }

    private var destination: DownloadDestination { output.output.map { .file($0) } ?? .folder(".") }

    private func options() throws -> OutgoingRequest.Options {
        guard output.output != "-" else { throw UsageFault("a download goes to a file; 'sockeye URL' prints") }
        guard (1...16).contains(parallel) else { throw UsageFault("--parallel is from 1 to 16") }
        var options = callOptions.parallel(parallel)
        if let sha256 {
            guard let checksum = Checksum(.sha256, hex: sha256) else {
                throw UsageFault("'\(sha256)' is no SHA-256 in hexadecimal")
            }
            options.checksums = [checksum]
        }
        return options
    }

    private func finish(_ task: DownloadTask, _ resumeFile: ResumeFile) async throws {
        var resumeFile = resumeFile
        let interrupts = Interrupts { Task { await task.cancel() } }
        var line = ProgressLine("received", isShown: output.showsBars)
        await line.follow(task.progress) { await resumeFile.save(task.resumeData) }
        let file: DownloadedFile
        do throws(SockeyeError) {
            file = try await task.value
        } catch {
            let isKept = await resumeFile.keep(error.resumeData)
            // The library has removed the part, so that no later run could use the file, whose URL may have secrets.
            if error.resumeData == nil { resumeFile.remove() }
            guard interrupts.hasOccurred || error.resumeData != nil else { throw error }
            let facts = stopped(error, isKept: isKept, isInterrupted: interrupts.hasOccurred)
            throw CommandFailure(facts, output)
        }
        resumeFile.remove()
        if output.asJSON {
            let record: JSONValue = [
                "path": .string(file.path), "bytes": JSONValue(file.count),
                "interruptions": JSONValue(file.interruptions),
            ]
            try Terminal.output.print(record.description)
        } else {
            tell("\(file.path): \(Figures.bytes(file.count))")
        }
        if output.timing { ResponsePrinter.timing(task.metrics) }
    }

    /// Describes a download that did not complete, with the bytes that are kept.
    private func stopped(_ error: SockeyeError, isKept: Bool, isInterrupted: Bool) -> FailureFacts {
        var facts = FailureFacts(error, asked: url)
        let data = isKept ? error.resumeData : nil
        let kept = data.map { "\(Figures.bytes($0.bytesWritten)) are kept: run again to go on" }
        let ending = kept ?? "nothing of it can be kept, so that it will start over"
        facts.message = isInterrupted ? "stopped; \(ending)" : "\(facts.message); \(ending)"
        return facts
    }

    private func tell(_ line: String) {
        if !output.silent { Terminal.error.tell(line) }
    }
}
