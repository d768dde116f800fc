import Sockeye
import SockeyeToolKit

/// A failure with the form of its report.
struct CommandFailure: Error {
    let report: FailureReport
    let message: String
    private let isForMachines: Bool
    private let isShown: Bool

    init(_ error: SockeyeError, asked: String, _ output: OutputArguments) {
        var facts = FailureFacts(error, asked: asked)
        if let file = error.underlying as? UnreadableFile { facts.message = file.description }
        self.init(facts, output)
    }

    init(_ facts: FailureFacts, _ output: OutputArguments) {
        report = FailureReport(facts)
        message = facts.message
        isForMachines = output.asJSON
        isShown = output.showsErrors
    }

    /// A response that is an error because of its status.
    init(refusing response: IncomingResponse, _ output: OutputArguments) {
        var facts = FailureFacts(.unacceptableStatus, in: .head, asked: response.url.description)
        facts.message = "the server answered \(response.status.code) \(response.reason)"
        facts.status = response.status.code
        self.init(facts, output)
    }

    /// Prints the report.
    func tell() {
        if isForMachines {
            try? Terminal.output.print(report.json.description)
        } else if isShown {
            for line in report.lines(TextStyle(isColored: Terminal.error.isColored)) { Terminal.error.tell(line) }
        }
    }
}

extension OutputArguments {
    /// Refuses an output file for a command that discards the content.
    func checkIsWithoutFile(_ command: String) throws {
        guard output == nil else { throw UsageFault("'sockeye \(command)' discards the content: no --output") }
    }

    /// Runs a command; its errors are reported in the form that the options determine.
    func reporting(_ url: String, _ run: () async throws -> Void) async throws {
        do {
            try await run()
        } catch let error as SockeyeError {
            throw CommandFailure(error, asked: url, self)
        }
    }
}
