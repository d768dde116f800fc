import Sockeye

/// The report of a failure by the command, as lines of text and as JSON.
package struct FailureReport: Sendable {
    private let failure: FailureFacts
    package let status: ExitStatus

    package init(_ failure: FailureFacts) {
        self.failure = failure
        status = ExitStatus(failure)
    }

    /// Returns a line that describes the failure, and a second line with the hint, if there is one.
    package func lines(_ style: TextStyle = .plain) -> [String] {
        var lines = [
            style("sockeye:", .red)
                + " (\(status.code)) \(TerminalText.escaping(failure.message)) [\(failure.code) in \(failure.phase)]"
        ]
        if let hint = Hint.text(failure) { lines.append(style("hint:", .yellow) + " \(hint)") }
        return lines
    }

    /// A JSON object with the member `error`, for programs.
    package var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("code", .string(failure.code.description)), ("phase", .string(failure.phase.description)),
            ("message", .string(failure.message)), ("exitStatus", JSONValue(status.code)),
        ]
        if let blame = failure.blame { members.append(("blame", .string(blame.description))) }
        if let url = failure.url { members.append(("url", .string(url.debugDescription))) }
        if let status = failure.status { members.append(("status", JSONValue(status))) }
        if let hint = Hint.text(failure) { members.append(("hint", .string(hint))) }
        return ["error": .object(JSONValue.Object(members))]
    }
}
