import Foundation
import Glibc
import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers

/// Limits the size of files of this process (RLIMIT_FSIZE, without root), writes more, and counts descriptors.
struct DiskLimits {
    private static let limit = 128 << 10
    private static let old = Data(repeating: 7, count: limit)

    private let scene: DownloadScene
    private let resumable: String
    private let unresumable: String

    static func run() async throws {
        // Without this, the signal would end the process before the call fails.
        signal(SIGXFSZ, SIG_IGN)
        let scene = try DownloadScene()
        try old.write(to: URL(filePath: scene.path))
        let plain = FaultyResource()
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(plain.body.count)\r\n\r\n"
        let limits = DiskLimits(
            scene: scene, resumable: try await scene.resource.start([.honest]),
            unresumable: try await plain.start([.raw(head, plain.body)]))
        let before = try setLimit(rlim_t(limit))
        try await limits.countDescriptors()
        try setLimit(before)
        let file = try await scene.client.download(limits.resumable, to: .file(scene.path)).value
        try demand(file.count == plain.body.count, "a download without the limit")
        await plain.stop()
        await scene.resource.stop()
    }

    /// Sets the limit and returns the previous one.
    @discardableResult
    private static func setLimit(_ count: rlim_t) throws -> rlim_t {
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        var limits = rlimit()
        unsafe getrlimit(resource, &limits)
        let before = limits.rlim_cur
        limits.rlim_cur = count
        try unsafe demand(setrlimit(resource, &limits) == 0, "another limit")
        return before
    }

    private func countDescriptors() async throws {
        try await round()
        // If little of a failed download's body was left, the client read it to its end and kept the connection.
        await scene.client.pool?.closeIdle()
        let before = DescriptorCount.current()
        for _ in 0..<20 { try await round() }
        await scene.client.pool?.closeIdle()
        let after = try await DescriptorCount.settle(atMost: before)
        try demand(after <= before, "\(after) descriptors, \(before) before")
        ChildProcess.say(
            "60 files that the system did not let grow: \(before) descriptors before, \(after) afterwards")
    }

    private func round() async throws {
        let kept = try await refused(.diskFull) {
            _ = try await scene.client.download(resumable, to: .file(scene.path)).value
        }
        try demand(kept.resumeData?.bytesWritten == Self.limit, "\(Self.limit) bytes on the disk")
        await kept.resumeData?.discard()
        let lost = try await refused(.diskFull) {
            _ = try await scene.client.download(unresumable, to: .file(scene.path)).value
        }
        try demand(lost.resumeData == nil, "no resume data")
        let body = OutgoingRequest.Body.bytes(scene.resource.body)
        try await refused(.bodyFailed) { _ = try await body.write(toFile: scene.path) }
        try demand(
            scene.names == ["file.bin"] && scene.content == Bytes(Self.old), "the old file alone, not \(scene.names)")
    }

    @discardableResult
    private func refused(
        _ code: SockeyeError.Code, _ body: () async throws -> Void
    ) async throws -> SockeyeError {
        do {
            try await body()
        } catch let error as SockeyeError {
            try demand(error.code == code && (error.underlying as? FileError)?.code == EFBIG, "EFBIG, not \(error)")
            return error
        }
        throw UnmetCondition("an error")
    }
}
