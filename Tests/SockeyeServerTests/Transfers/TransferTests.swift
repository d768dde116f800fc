import Foundation
import Sockeye
import SockeyeTesting
import Testing

/// A large body in each direction, in a separate process; its memory shows if data accumulates.
@Suite(
    "nginx: large transfers", .serialized, .enabled(if: NginxServer.isInstalled, "\(NginxServer.missing)"),
    .timeLimit(.minutes(5)))
struct TransferTests {
    enum Kind: String, CaseIterable, Sendable {
        case download, downloadChunked, upload, uploadChunked
    }

    @Test(
        "256 MiB are transferred within 4 MB of memory and without loss", arguments: NginxServer.Scheme.allCases,
        Kind.allCases)
    func moves(scheme: NginxServer.Scheme, kind: Kind) async throws {
        let nginx = try NginxServer.shared.get()
        let upload = "large-\(kind.rawValue)-\(scheme.rawValue).bin"
        let stored = "\(nginx.folder)/uploads/\(upload)"
        defer { try? FileManager.default.removeItem(atPath: stored) }
        let (mode, path) =
            switch kind {
            case .download: ("download", "/big.bin")
            case .downloadChunked: ("download", "/chunked/big.bin")
            case .upload: ("upload", "/upload/\(upload)")
            case .uploadChunked: ("upload-chunked", "/upload/\(upload)")
            }
        let report = try await TransferProbe.run([
            mode, nginx.url(path, over: scheme), String(NginxFiles.bigSize), nginx.url("/small", over: scheme),
            nginx.folder + "/clients.pem",
        ])
        print("\(kind) over \(scheme): \(report)")
        let tail = kind == .downloadChunked ? NginxFiles.tail.utf8.count : 0
        #expect(report.bytes == NginxFiles.bigSize + tail)
        #expect(report.before > 0)
        #expect(report.peak - report.before < 4 << 20)
        if kind == .upload || kind == .uploadChunked {
            let attributes = try FileManager.default.attributesOfItem(atPath: stored)
            #expect(attributes[.size] as? Int == NginxFiles.bigSize)
        }
    }
}
