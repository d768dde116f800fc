import Foundation
import Sockeye
import SockeyeToolKit

/// Prints responses: head and content to standard output, messages and timing to standard error.
struct ResponsePrinter {
    /// The maximum of bytes of JSON that is indented; longer content is printed unchanged as it arrives.
    private static let formattedLimit = 16 << 20

    private let output: OutputArguments
    private let presentation: Presentation

    init(_ output: OutputArguments) {
        self.output = output
        presentation = Presentation(
            output.pretty, isTerminal: Terminal.output.isInteractive, environment: ProcessInfo.processInfo.environment)
    }

    /// Prints the status line and the fields.
    func head(_ response: IncomingResponse) throws {
        let style = presentation.style
        let status = style.status(response.status.code, "\(response.status.code) \(shown(response.reason))")
        var lines = ["HTTP/1.\(response.minorVersion) \(status)"]
        for field in response.headers { lines.append("\(style("\(field.name)", .cyan)): \(shown(field.value))") }
        try Terminal.output.print(lines.joined(separator: "\n") + "\n")
    }

    /// Escapes terminal commands, because fields may contain bytes beyond ASCII and thus C1 controls.
    private func shown(_ text: String) -> String {
        Terminal.output.isInteractive ? TerminalText.escaping(text) : text
    }

    /// Prints the content as it arrives; JSON is collected first and then indented.
    func content(_ response: IncomingResponse) async throws {
        let type = response.contentType
        switch presentation.form(ofType: type?.type, subtype: type?.subtype) {
        case .json: try await formatted(response)
        case .jsonLines: try await lines(response)
        case .asItIs: try await raw(response)
        }
    }

    private func raw(_ response: IncomingResponse) async throws {
        var last: UInt8?
        for try await chunk in response.body {
            if Terminal.output.isInteractive, output.output == nil, chunk.contains(0) {
                Terminal.error.tell("sockeye: the content is binary; --output FILE keeps it, --output - shows it")
                return
            }
            try Terminal.output.write(chunk)
            last = chunk.last ?? last
        }
        if Terminal.output.isInteractive, let last, last != UInt8(ascii: "\n") { try Terminal.output.print("") }
    }

    private func formatted(_ response: IncomingResponse) async throws {
        var collected: [UInt8] = []
        var isTooLong = false
        for try await chunk in response.body {
            if !isTooLong {
                collected += chunk
                guard collected.count > Self.formattedLimit else { continue }
                isTooLong = true
                try Terminal.output.write(Bytes(collected))
            } else {
                try Terminal.output.write(chunk)
            }
        }
        guard !isTooLong else { return }
        if let text = JSONPrinter(presentation).text(parsing: Bytes(collected)) {
            try Terminal.output.print(text)
        } else {
            try Terminal.output.write(Bytes(collected))
        }
    }

    private func lines(_ response: IncomingResponse) async throws {
        let printer = JSONPrinter(Presentation(isIndented: false, isColored: presentation.isColored))
        for try await line in response.body.lines {
            try Terminal.output.print(printer.text(parsing: Bytes(line)) ?? line)
        }
    }

    /// Prints head, content, history and timing as one JSON object.
    func record(_ response: IncomingResponse, method: String) async throws {
        var record = ResponseRecord(
            method: method, url: response.url.description, status: response.status.code,
            reason: response.reason, minorVersion: response.minorVersion,
            fields: response.headers.map { ("\($0.name)", $0.value) },
            body: try await response.bytes(upTo: Self.formattedLimit))
        record.history = response.history.map { ($0.url.description, $0.status?.code) }
        record.timeline = response.metrics.map { CallTimeline($0) }
        try Terminal.output.print(record.json.description)
    }

    /// Prints the times of all phases on standard error.
    static func timing(_ metrics: CallMetrics?) {
        guard let metrics else { return }
        let environment = ProcessInfo.processInfo.environment
        let waterfall = Waterfall(
            CallTimeline(metrics), style: TextStyle(isColored: Terminal.error.isColored),
            glyphs: Glyphs(environment: environment))
        for line in waterfall.lines(width: Terminal.error.width) { Terminal.error.tell(line) }
    }
}
