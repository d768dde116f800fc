import Foundation
import Glibc
import Sockeye
import SockeyeToolKit

/// The output file, which `--output`, `--remote-name` or the server names.
struct ContentFile {
    /// The treatment of an existing file.
    enum Mode {
        case replace
        case append
        /// An existing file is an error.
        case create

        fileprivate var flags: Int32 {
            switch self {
            case .replace: O_TRUNC
            case .append: O_APPEND
            case .create: O_EXCL
            }
        }
    }

    let path: String
    private let mode: Mode
    private let output: OutputArguments

    init(_ path: String, _ mode: Mode, _ output: OutputArguments) {
        self.path = path
        self.mode = mode
        self.output = output
    }

    /// Writes the head of a response without its content.
    func write(_ head: String) throws {
        try write(Data(head.utf8), to: opened())
    }

    /// Writes the content as it arrives, with a progress bar if standard error is a terminal.
    ///
    /// - Parameter head: The head of the response if it precedes the content in the file, else empty.
    func write(_ response: IncomingResponse, after head: String) async throws {
        let handle = try opened()
        if !head.isEmpty { try write(Data(head.utf8), to: handle) }
        var line = ProgressLine("received", isShown: output.showsBars)
        let total = response.body.expectedLength
        var count = 0
        let interrupts = Interrupts { [path] in
            Terminal.error.tell("\nsockeye: stopped; what has come so far is in \(path). 'sockeye download' can go on.")
            _exit(ExitStatus.interrupted.code)
        }
        defer { line.clear() }
        for try await chunk in response.body {
            try write(Data(chunk), to: handle)
            count += chunk.count
            line.show(count, of: total)
        }
        withExtendedLifetime(interrupts) {}
    }

    private func opened() throws -> FileHandle {
        let descriptor = open(path, O_WRONLY | O_CREAT | mode.flags | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure(errno) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    private func write(_ data: Data, to handle: FileHandle) throws {
        do {
            try handle.write(contentsOf: data)
        } catch {
            // errno may have changed since the call failed, but Foundation keeps its value.
            let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            throw failure(underlying.map { Int32($0.code) } ?? EIO)
        }
    }

    private func failure(_ code: Int32) -> CommandFailure {
        let reason = String(cString: strerror(code))
        var facts = FailureFacts(.fileFailed, in: .body)
        facts.message = "\(path) cannot be written: \(reason)"
        return CommandFailure(facts, output)
    }
}
