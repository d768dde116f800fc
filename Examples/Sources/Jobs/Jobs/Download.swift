import Crypto
import Foundation
import Sockeye
import SockeyeTesting
import SockeyeTransfers
import Synchronization

// snippet.show
func fetch(
    _ url: String, to path: String, sha256: String,
    with client: HTTPClient = HTTPClient(),
    show: (TransferProgress) -> Void
) async throws -> DownloadedFile {
    let options = try OutgoingRequest.Options.resumable(in: path + ".resume")
        .checksum(.sha256(sha256))
    let task = try client.download(url, to: .file(path), options: options)
    for await progress in task.progress { show(progress) }
    return try await task.value
}
// snippet.hide

extension Job {
    /// The first process receives half of the file, and then nothing until it is killed.
    static let download = Job("A download that survives `kill -9`, with a checksum") {
        let content = TestPattern.bytes(at: 0, upTo: 200_000)
        let digest = SHA256.hash(data: Data(content)).map { String(format: "%02x", $0) }.joined()
        let asked = Mutex<[String]>([])
        return try await withFolder { folder in
            try await withTestServer { (request: TestRequest, responder: TestResponder) in
                asked.withLock { $0.append(request[.range] ?? "all") }
                guard request[.range] == nil else {
                    return try await responder.send(.resource(content, for: request, eTag: "\"v1\""))
                }
                try await responder.sendHead(
                    headers: [.eTag: "\"v1\"", .acceptRanges: "bytes"], length: content.count)
                try await responder.write(content.slice(0..<content.count / 2))
                try await responder.waitForDisconnect()
                responder.close()
            } run: { server in
                let file = folder.appending(path: "big.iso")
                let arguments = ["download", server.url("big.iso"), file.path(), digest]
                let first = try await DownloadProcess.run(arguments, killingAt: 100_000)
                let second = try await DownloadProcess.run(arguments)
                guard first != 0, second == 0, try Data(contentsOf: file) == Data(content) else {
                    throw Unexpected("exits \(first) and \(second)")
                }
                return "asked for \(asked.withLock { $0.joined(separator: ", then ") })"
            }
        }
    }
}

/// Runs `jobs download URL PATH SHA256` in a separate process.
private enum DownloadProcess {
    /// Returns the exit status. The process gets SIGKILL as soon as it has reported `count` bytes.
    static func run(_ arguments: [String], killingAt count: Int = .max) async throws -> Int32 {
        let process = Process()
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.executableURL = own.deletingLastPathComponent().appending(path: "jobs")
        process.arguments = arguments
        let errors = Pipe()
        process.standardError = errors
        let (ends, ended) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = {
            ended.yield($0.terminationStatus)
            ended.finish()
        }
        let (output, said) = AsyncStream.makeStream(of: Data.self)
        errors.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { said.finish() } else { said.yield(data) }
        }
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        var text = ""
        var isKilled = false
        for await data in output {
            text += String(decoding: data, as: UTF8.self)
            let counts = text.split(separator: "\n").compactMap { Int($0.prefix { $0.isNumber }) }
            if !isKilled, counts.contains(where: { $0 >= count }) {
                isKilled = true
                kill(process.processIdentifier, SIGKILL)
            }
        }
        errors.fileHandleForReading.readabilityHandler = nil
        var status: Int32 = -1
        for await end in ends { status = end }
        return status
    }
}
