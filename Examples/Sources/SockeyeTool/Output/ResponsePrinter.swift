import Foundation
import Sockeye
import SockeyeStreams
import SockeyeToolKit

/// Prints responses: head and content to standard output, messages and timing to standard error.
struct ResponsePrinter {
    /// The maximum of bytes of JSON that is indented; longer content is printed unchanged as it arrives.
    private static let formattedLimit = 16 << 20

    private let output: OutputArguments
    private let transfer: TransferArguments
    private let presentation: Presentation
    /// The file of `--dump-header`; nil without the option and for `-`, which is standard output.
    private let headFile: HeadFile?

    init(_ output: OutputArguments, _ transfer: TransferArguments) {
        self.output = output
        self.transfer = transfer
        presentation = Presentation(
            output.pretty, isTerminal: Terminal.output.isInteractive, environment: ProcessInfo.processInfo.environment)
        headFile = transfer.dumpHeader.flatMap { $0 == "-" ? nil : HeadFile($0, output) }
    }

    /// Prints the status line and the fields.
    func head(_ response: IncomingResponse) throws {
        let lines = lines(of: response, presentation.style) { shown($0) }
        try Terminal.output.print(lines.joined(separator: "\n") + "\n")
    }

    /// Returns the status line, the fields and an empty line for a file, without colors and escapes.
    func plainHead(_ response: IncomingResponse) -> String {
        lines(of: response, .plain) { $0 }.joined(separator: "\n") + "\n\n"
    }

    /// Writes the status line and the fields for `--dump-header`, if the option is given.
    func dumpHead(_ response: IncomingResponse) throws {
        if let headFile {
            try headFile.write(plainHead(response))
        } else if transfer.dumpHeader != nil {
            try head(response)
        }
    }

    private func lines(
        of response: IncomingResponse, _ style: TextStyle, _ text: (String) -> String
    ) -> [String] {
        let status = style.status(response.status.code, "\(response.status.code) \(text(response.reason))")
        var lines = ["HTTP/1.\(response.minorVersion) \(status)"]
        for field in response.headers { lines.append("\(style("\(field.name)", .cyan)): \(text(field.value))") }
        return lines
    }

    /// Escapes terminal commands, because fields may contain bytes beyond ASCII and thus C1 controls.
    private func shown(_ text: String) -> String {
        Terminal.output.isInteractive ? TerminalText.escaping(text) : text
    }

    /// Prints the content as it arrives; JSON is collected first and then indented, unless `--no-buffer` is given.
    func content(_ response: IncomingResponse) async throws {
        let type = response.contentType
        switch transfer.noBuffer ? .asItIs : presentation.form(ofType: type?.type, subtype: type?.subtype) {
        case .json: try await formatted(response)
        case .jsonLines: try await lines(response)
        case .asItIs: try await raw(response)
        }
    }

    private func raw(_ response: IncomingResponse) async throws {
        var writer = ContentWriter(isRaw: transfer.raw)
        for try await chunk in response.body {
            if Terminal.output.isInteractive, output.output == nil, !transfer.raw, chunk.contains(0) {
                try writer.finish()
                Terminal.error.tell("sockeye: the content is binary; --output FILE keeps it, --raw shows it")
                return
            }
            try writer.write(chunk)
        }
        try writer.finish()
        if Terminal.output.isInteractive, let last = writer.last, last != UInt8(ascii: "\n") {
            try Terminal.output.print("")
        }
    }

    private func formatted(_ response: IncomingResponse) async throws {
        var writer = ContentWriter(isRaw: transfer.raw)
        var collected: [UInt8] = []
        var isTooLong = false
        do {
            for try await chunk in response.body {
                if !isTooLong {
                    collected += chunk
                    guard collected.count > Self.formattedLimit else { continue }
                    isTooLong = true
                    try writer.write(Bytes(collected))
                } else {
                    try writer.write(chunk)
                }
            }
        } catch {
            // The part of the content that has arrived is shown as it is.
            if !isTooLong { try? writer.write(Bytes(collected)) }
            try? writer.finish()
            throw error
        }
        if !isTooLong {
            if let text = JSONPrinter(presentation).text(parsing: Bytes(collected)) {
                try Terminal.output.print(text)
            } else {
                try writer.write(Bytes(collected))
            }
        }
        try writer.finish()
    }

    private func lines(_ response: IncomingResponse) async throws {
        let printer = JSONPrinter(Presentation(isIndented: false, isColored: presentation.isColored))
        for try await line in response.body.lines {
            try Terminal.output.print(printer.text(parsing: Bytes(line)) ?? (transfer.raw ? line : shown(line)))
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
