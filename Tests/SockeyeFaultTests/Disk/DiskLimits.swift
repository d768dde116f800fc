import CSockeyeSystem
import Foundation
import Glibc
import Sockeye
import SockeyeCore
import SockeyeTesting

/// Lets no file of this process grow beyond some kilobytes, which needs no root, writes more, and counts descriptors.
enum DiskLimits {
    private static let limit = 128 << 10

    static func run() async throws {
        // Without this the signal would end the process before the call could fail.
        signal(SIGXFSZ, SIG_IGN)
        let scene = try DownloadScene()
        let old = Data(repeating: 7, count: limit)
        try old.write(to: URL(filePath: scene.path))
        let resumable = try await scene.resource.start([.honest])
        let plain = FaultyResource()
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(plain.body.count)\r\n\r\n"
        let unresumable = try await plain.start([.raw(head, plain.body)])
        var limits = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
        var lowered = rlimit(rlim_cur: rlim_t(limit), rlim_max: limits.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &lowered)
        func round() async throws {
            let kept = try await refused(.fileFailed) {
                _ = try await scene.client.download(resumable, to: scene.path).value
            }
            try demand(kept.resumeData?.bytesWritten == limit, "\(limit) bytes on the disk")
            kept.resumeData?.discard()
            let lost = try await refused(.fileFailed) {
                _ = try await scene.client.download(unresumable, to: scene.path).value
            }
            try demand(lost.resumeData == nil, "nothing to go on with")
            try await refused(.bodyFailed) { _ = try await RequestBody.bytes(plain.body).write(toFile: scene.path) }
            try demand(
                scene.names == ["file.bin"] && scene.content == Bytes(old), "the old file alone, not \(scene.names)")
        }
        try await round()
        // Where little of a body was left it was read to its end, and the connection is kept.
        await scene.client.closeIdleConnections()
        let before = DescriptorCount.current()
        for _ in 0..<20 { try await round() }
        await scene.client.closeIdleConnections()
        let after = try await DescriptorCount.settle(atMost: before)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
        try demand(after <= before, "\(after) descriptors, \(before) before")
        let file = try await scene.client.download(resumable, to: scene.path).value
        try demand(file.count == plain.body.count, "a download without the limit")
        report("60 files that the system let nobody finish: \(before) descriptors before, \(after) afterwards")
        await plain.stop()
        await scene.resource.stop()
    }

    @discardableResult
    private static func refused(
        _ code: SockeyeError.Code, _ body: () async throws -> Void
    ) async throws -> SockeyeError {
        do {
            try await body()
        } catch let error as SockeyeError {
            try demand(error.code == code && (error.underlying as? FileError)?.code == EFBIG, "EFBIG, not \(error)")
            return error
        }
        throw Unmet("an error")
    }
}
