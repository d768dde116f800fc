import Glibc
import Sockeye
import SockeyeToolKit

/// The destination of the content of one URL: a file, of which a part may exist already, or standard output.
struct OutputTarget {
    private let output: OutputArguments
    private let transfer: TransferArguments
    /// The output file; nil for standard output, and for a name that the server suggests.
    private let path: String?
    /// The number of bytes to go on after; nil without `--continue-at`.
    private let offset: Int?

    init(_ draft: RequestDraft, _ output: OutputArguments, _ transfer: TransferArguments) throws {
        self.output = output
        self.transfer = transfer
        guard !transfer.remoteHeaderName || transfer.remoteName else {
            throw UsageFault("--remote-header-name belongs to --remote-name")
        }
        guard !transfer.remoteHeaderName || transfer.continueAt == nil else {
            throw UsageFault("--continue-at needs a file name before the request: --remote-header-name gives it later")
        }
        if transfer.remoteName {
            guard output.output == nil else { throw UsageFault("--output and --remote-name contradict each other") }
            path = transfer.remoteHeaderName ? nil : try Self.name(in: draft.url, output)
        } else {
            path = output.output == "-" ? nil : output.output
        }
        offset = try Self.offset(transfer, path)
        guard offset == nil || draft.content == .none && draft.method == "GET" else {
            throw UsageFault("--continue-at is for GET without content")
        }
    }

    /// Returns the last name in the path of a URL, as it is written.
    private static func name(in url: String, _ output: OutputArguments) throws -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let path = rest.prefix { $0 != "?" && $0 != "#" }.drop { $0 != "/" }
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard !name.isEmpty else {
            var facts = FailureFacts(.fileFailed, asked: url)
            facts.message = "the URL has no file name for --remote-name; --output FILE gives one"
            throw CommandFailure(facts, output)
        }
        return String(name)
    }

    private static func offset(_ transfer: TransferArguments, _ path: String?) throws -> Int? {
        guard let text = transfer.continueAt else { return nil }
        guard transfer.range == nil else { throw UsageFault("--continue-at and --range contradict each other") }
        let length = path.map { Self.length(of: $0) } ?? 0
        switch try ContinueArgument(text) {
        case .file:
            guard path != nil else { throw UsageFault("--continue-at - belongs to --output or --remote-name") }
            return length
        case .offset(let offset):
            guard path == nil || offset == length else {
                throw UsageFault("the output file has \(length) bytes and not \(offset): --continue-at - goes on there")
            }
            return offset
        }
    }

    /// Returns the length of a file; 0 if it does not exist. Follows symbolic links, as writing to the path does.
    private static func length(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Adds the field Range for `--range` or `--continue-at`.
    func addRange(to prepared: inout PreparedRequest) throws {
        if let range = transfer.range { prepared.setRange(try RangeArgument(range).field) }
        if let offset, offset > 0 { prepared.setRange("bytes=\(offset)-") }
    }

    /// True if the content is written after bytes that the output already has.
    var continuesFile: Bool { (offset ?? 0) > 0 }

    /// True if the answer says that the file needs no more bytes.
    func isComplete(_ response: IncomingResponse) -> Bool {
        guard let offset, offset > 0 else { return false }
        return answer(response, offset) == .complete
    }

    /// Returns the file to write the content of a response to; nil for standard output, and if the file is complete.
    ///
    /// - Throws: A failure if the response does not continue the file.
    func file(for response: IncomingResponse) throws -> ContentFile? {
        guard let offset, offset > 0 else {
            guard transfer.remoteName, transfer.remoteHeaderName else {
                return path.map { ContentFile($0, .replace, output) }
            }
            return ContentFile(response.suggestedFileName, .create, output)
        }
        switch answer(response, offset) {
        case .append: return path.map { ContentFile($0, .append, output) }
        case .complete: return nil
        case .failed: throw CommandFailure(refusing: response, output)
        case .refused(let reason):
            var facts = FailureFacts(.malformedResponse, in: .head, asked: response.url.description)
            facts.message = reason
            facts.exitStatus = .range
            throw CommandFailure(facts, output)
        }
    }

    private func answer(_ response: IncomingResponse, _ offset: Int) -> RestAnswer {
        RestAnswer(offset: offset, status: response.status.code, contentRange: response.headers["Content-Range"])
    }
}
