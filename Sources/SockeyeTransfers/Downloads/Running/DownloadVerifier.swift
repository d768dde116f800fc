import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyeNet

/// Computes the checksums of a download while its bytes are written, and compares them at the end.
struct DownloadVerifier {
    /// The expected checksums.
    let checksums: [Checksum]
    private var digests: [IncrementalHash]
    /// The number of bytes hashed, from the start of the file.
    private var count = 0

    init(_ checksums: [Checksum]) throws(SockeyeError) {
        self.checksums = checksums
        digests = try Self.makeDigests(checksums)
    }

    private static func makeDigests(_ checksums: [Checksum]) throws(SockeyeError) -> [IncrementalHash] {
        var digests: [IncrementalHash] = []
        for checksum in checksums {
            guard let digest = IncrementalHash(checksum.algorithm == .sha256 ? .sha256 : .sha512) else {
                throw SockeyeError(
                    .init(
                        .outOfResources, phase: .body, blame: .network,
                        message: "OpenSSL could not create a \(checksum.algorithm.rawValue) digest"))
            }
            digests.append(digest)
        }
        return digests
    }

    /// Hashes bytes at a position of the file if they directly follow the hashed ones. Otherwise `verify(_:)` reads the
    /// file again.
    mutating func update(_ bytes: Bytes, at position: Int) {
        guard position == count, !digests.isEmpty else { return }
        for digest in digests { digest.update(bytes) }
        count += bytes.count
    }

    /// Compares the checksums. If not all bytes were hashed, reads the whole file again: an earlier run of the
    /// download, perhaps in another process, may have written the start of the file.
    mutating func verify(_ file: DownloadFile) async throws(SockeyeError) {
        guard !checksums.isEmpty else { return }
        if count != file.count {
            let digests = try Self.makeDigests(checksums)
            self.digests = digests
            do throws(FileFailure) {
                try await file.read { bytes in
                    for digest in digests { digest.update(bytes) }
                }
            } catch {
                throw SockeyeError(error)
            }
        }
        for (checksum, digest) in zip(checksums, digests) {
            let found = Checksum(checksum.algorithm, bytes: digest.finish())
            guard found != checksum else { continue }
            throw SockeyeError(
                .init(
                    .checksumMismatch, phase: .body, blame: .peer,
                    message: "the content has the checksum \(found?.description ?? "?"), not \(checksum)"))
        }
    }
}
