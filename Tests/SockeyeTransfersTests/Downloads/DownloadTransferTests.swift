import Foundation
import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine
@testable import SockeyeTransfers

/// Each test passes responses to the transfer and looks at the file; nothing is requested.
@Suite("The transfer of a download", .timeLimit(.minutes(1))) struct DownloadTransferTests {
    private let folder: TemporaryFolder
    private let events = Recorder<String>()
    private let identity: RequestIdentity

    init() throws {
        folder = try TemporaryFolder()
        identity = try RequestIdentity(method: "GET", url: HTTPURL("https://a.test/f"))
    }

    private func transfer(
        to destination: DownloadDestination? = nil, resuming data: ResumeData? = nil,
        _ change: (inout DownloadSettings) -> Void = { _ in }
    ) -> DownloadTransfer {
        var settings = DownloadSettings(destination: destination ?? .file(folder("f")))
        settings.resumeData = data
        settings.onEvent = { [events] event in
            switch event {
            case .startedOver: events.append("startedOver")
            case .resumed(let position, let total): events.append("resumed \(position) of \(total ?? -1)")
            case .moved(_, let error): events.append(error == nil ? "moved" : "not moved")
            default: break
            }
        }
        change(&settings)
        return DownloadTransfer(identity, ResumeMachine.Rules(), settings)
    }

    /// - Parameter range: The position of the first byte and the complete length, for the Content-Range of a 206
    ///   response. Nil for a 200 response.
    private func response(
        _ pieces: [String], length: Int? = nil, from range: (first: Int, total: Int)? = nil, tag: String? = "\"1\"",
        then error: SockeyeError? = nil, _ fields: Headers = [:]
    ) -> IncomingResponse {
        let length = length ?? pieces.reduce(0) { $0 + $1.utf8.count }
        var fields = fields.merging([.acceptRanges: "bytes", .contentLength: String(length)])
        if let tag { fields[.eTag] = tag }
        if let range { fields[.contentRange] = "bytes \(range.first)-\(range.first + length - 1)/\(range.total)" }
        return IncomingResponse(
            ResponseStorage(
                status: range == nil ? 200 : 206, fields: fields, reason: "", request: identity,
                body: BodyContent(
                    source: ScriptedSource(pieces.map { Bytes($0) }, then: error), expectedLength: length)))
    }

    /// Passes a response to a transfer, as the attempts of a download do.
    private func receive(
        _ response: IncomingResponse, _ transfer: inout DownloadTransfer
    ) async throws -> DownloadTransfer.Ending {
        let step = transfer.machine.receive(response.partialAnswer)
        switch step {
        case .startOver: return try await transfer.receive(response, startingOver: true)
        case .append: return try await transfer.receive(response, startingOver: false)
        default:
            Issue.record("an unexpected step: \(step)")
            return .partial
        }
    }

    private func text(_ transfer: DownloadTransfer) -> String? {
        (transfer.file?.path).flatMap { FileManager.default.contents(atPath: $0) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private static let lost = SockeyeError.failure(.connectionClosed)

    // MARK: Receiving

    @Test("complete content is moved to its destination, and no other file is left")
    func complete() async throws {
        var transfer = transfer()
        guard case .complete = try await receive(response(["abc", "def"]), &transfer) else {
            Issue.record("the content is incomplete")
            return
        }
        #expect(folder.text("f") == nil)
        let file = try await transfer.finish(interruptions: 3)
        #expect(file.path == folder("f") && file.count == 6 && file.interruptions == 3)
        #expect(folder.text("f") == "abcdef" && folder.names == ["f"] && events.values == ["moved"])
    }

    @Test("if content breaks off, its bytes are kept, and the rest is appended to them")
    func brokenOff() async throws {
        var transfer = transfer()
        guard
            case .brokenOff(let error) = try await receive(
                response(["abc"], length: 6, then: Self.lost), &transfer)
        else {
            Issue.record("the content did not break off")
            return
        }
        #expect(error.code == .connectionClosed && text(transfer) == "abc")
        #expect(transfer.resumeData?.bytesWritten == 3 && transfer.resumeData?.totalBytes == 6)
        guard case .complete = try await receive(response(["def"], from: (3, 6)), &transfer) else {
            Issue.record("the content is incomplete")
            return
        }
        #expect(text(transfer) == "abcdef" && events.values == ["resumed 3 of 6"])
    }

    @Test("content of another version replaces the bytes so far")
    func otherVersion() async throws {
        var transfer = transfer()
        _ = try await receive(response(["abcd"], length: 6, then: Self.lost), &transfer)
        guard case .complete = try await receive(response(["xyz"], tag: "\"2\""), &transfer) else {
            Issue.record("the content is incomplete")
            return
        }
        #expect(text(transfer) == "xyz" && events.values == ["startedOver"])
    }

    @Test("content of another version gets a file of its own, so that stored resume data cannot name its bytes")
    func otherFile() async throws {
        var transfer = transfer()
        _ = try await receive(response(["ab"], length: 6, then: Self.lost), &transfer)
        let stored = try #require(transfer.resumeData)
        _ = try await receive(response(["uvwx"], length: 6, tag: "\"2\"", then: Self.lost), &transfer)
        #expect(try #require(transfer.resumeData).temporaryPath != stored.temporaryPath && text(transfer) == "uvwx")
        // As after the end of the process.
        var later = self.transfer(resuming: stored)
        try await later.openTemporaryFile()
        #expect(later.file == nil && later.machine.written == 0)
    }

    @Test("a body shorter than its announced length is partial, and a longer body breaks off")
    func otherLength() async throws {
        var short = transfer()
        guard case .partial = try await receive(response(["abc"], length: 6), &short) else {
            Issue.record("a short body is not partial")
            return
        }
        var long = transfer(to: .file(folder("g")))
        guard case .brokenOff = try await receive(response(["abc", "defg"], length: 6), &long) else {
            Issue.record("a long body did not break off")
            return
        }
        #expect(long.resumeData == nil && text(long) == "abc")
    }

    // MARK: Finishing

    @Test(
        "content with another checksum than announced or given is not moved, and its bytes cannot be resumed",
        arguments: [true, false])
    func checksum(isAnnounced: Bool) async throws {
        let wrong = try #require(Checksum(.sha256, bytes: [UInt8](repeating: 0, count: 32)))
        let announced: Headers = ["Repr-Digest": "sha-256=:\(String(repeating: "A", count: 43))=:"]
        var transfer = transfer { if !isAnnounced { $0.options.checksums = [wrong] } }
        _ = try await receive(response(["abc"], isAnnounced ? announced : [:]), &transfer)
        do throws(SockeyeError) {
            _ = try await transfer.finish(interruptions: 0)
            Issue.record("a wrong checksum was accepted")
        } catch {
            #expect(error.code == .checksumMismatch)
            let final = await transfer.end(with: error)
            #expect(final.resumeData == nil && final.url == "https://a.test/f")
        }
        #expect(folder.text("f") == nil)
    }

    @Test("an existing destination that may not be replaced is an error, after which the bytes can be resumed")
    func existing() async throws {
        var transfer = transfer(to: .file(folder("f"), existing: .fail))
        _ = try await receive(response(["abc"]), &transfer)
        try folder.write("older", to: "f")
        do throws(SockeyeError) {
            _ = try await transfer.finish(interruptions: 0)
            Issue.record("the destination was replaced")
        } catch {
            let final = await transfer.end(with: error)
            #expect(error.code == .fileExists && final.resumeData?.bytesWritten == 3)
        }
        #expect(folder.text("f") == "older" && events.values == ["not moved"])
    }

    @Test("a run that is cancelled before its file is moved does not report a failed move")
    func cancelledMove() async throws {
        let task = Task {
            var run = transfer()
            _ = try await receive(response(["abc"]), &run)
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await run.finish(interruptions: 0).count
        }
        let error = await #expect(throws: SockeyeError.self) { try await task.value }
        #expect(error?.code == .cancelled && events.values == [])
        #expect(folder.text("f") == nil)
    }

    @Test("if a transfer breaks off, its error has resume data with the path of the kept part file")
    func end() async throws {
        var transfer = transfer()
        _ = try await receive(response(["abc"], length: 6, then: Self.lost), &transfer)
        let path = try #require(transfer.file?.path)
        let error = await transfer.end(with: Self.lost)
        transfer.file = nil
        #expect(error.resumeData?.temporaryPath == path && FileManager.default.fileExists(atPath: path))
    }

    @Test("bytes without a strong validator, and a file that another program removed, cannot be resumed")
    func notResumable() async throws {
        var weak = transfer()
        _ = try await receive(response(["abc"], length: 6, tag: "W/\"1\"", then: Self.lost), &weak)
        #expect(await weak.end(with: Self.lost).resumeData == nil)
        var removed = transfer(to: .file(folder("g")))
        _ = try await receive(response(["abc"], length: 6, then: Self.lost), &removed)
        try FileManager.default.removeItem(atPath: #require(removed.file?.path))
        #expect(await removed.end(with: Self.lost).resumeData == nil)
    }

    // MARK: Resuming

    /// Leaves a part file with resume data, as an earlier run does.
    private func leftover(_ text: String, of total: Int) async throws -> ResumeData {
        var transfer = transfer()
        // As a download does: the thread that took the lock of the destination may still have a reference to it.
        defer { transfer.claim?.release() }
        _ = try await receive(response([text], length: total, then: Self.lost), &transfer)
        return try #require(await transfer.end(with: Self.lost).resumeData)
    }

    @Test("a later run continues after the bytes of an earlier one")
    func resuming() async throws {
        var transfer = transfer(resuming: try await leftover("abc", of: 6))
        try await transfer.openTemporaryFile()
        #expect(transfer.machine.written == 3 && transfer.machine.entity?.total == 6)
        _ = try await receive(response(["def"], from: (3, 6)), &transfer)
        _ = try await transfer.finish(interruptions: 0)
        #expect(folder.text("f") == "abcdef")
    }

    @Test("a run that ends before its first response keeps the announced checksums of the earlier run")
    func checksumsKept() async throws {
        let announced: Headers = ["Repr-Digest": "sha-256=:\(String(repeating: "A", count: 43))=:"]
        var first = transfer()
        _ = try await receive(response(["abc"], length: 6, then: Self.lost, announced), &first)
        let data = try #require(await first.end(with: Self.lost).resumeData)
        first.file = nil
        var second = transfer(resuming: data)
        try await second.openTemporaryFile()
        let again = try #require(await second.end(with: Self.lost).resumeData)
        #expect(data.checksums.count == 1 && again.checksums == data.checksums)
    }

    @Test("if the part file is missing, the download starts over, and a part file that is too long is emptied")
    func changedPart() async throws {
        let data = try await leftover("abc", of: 6)
        try FileManager.default.removeItem(atPath: data.temporaryPath)
        var missing = transfer(resuming: data)
        try await missing.openTemporaryFile()
        #expect(missing.machine.written == 0 && missing.file == nil && events.values == ["startedOver"])
        let longer = try await leftover("abc", of: 6)
        try Data("much longer than six bytes".utf8).write(to: URL(filePath: longer.temporaryPath), options: [])
        var emptied = transfer(resuming: longer)
        try await emptied.openTemporaryFile()
        #expect(emptied.machine.written == 0 && emptied.file?.count == 0)
    }

    @Test("a part file whose bytes after a gap cannot be removed, because the run was cancelled, is kept")
    func cancelledOpening() async throws {
        let data = try await leftover("abcd", of: 6)
        let gapped = try ResumeData(
            url: HTTPURL(data.url), validator: data.validator, bytesWritten: 2, totalBytes: 6,
            temporaryPath: data.temporaryPath, checksums: [], hasGaps: true)
        let task = Task {
            let file = try await DownloadFile.reopen(gapped.temporaryPath)
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            await #expect(throws: FileFailure.self) { try await DownloadTransfer.removeUnusable(gapped, from: file) }
        }
        try await task.value
        #expect(FileManager.default.fileExists(atPath: data.temporaryPath))
    }

    @Test("a run that ends before it has opened its part file keeps the resume data of the earlier run")
    func leftoverKept() async throws {
        let data = try await leftover("abc", of: 6)
        let transfer = transfer(resuming: data)
        let error = await transfer.end(with: Self.lost)
        #expect(error.resumeData == data && FileManager.default.fileExists(atPath: data.temporaryPath))
    }
}
