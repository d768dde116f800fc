import Foundation
import Glibc

/// A file system of a few bytes in memory, whose `ENOSPC` is the kernel's. It is taken out of the tree of mounts as soon as
/// it is open, so nobody else sees it, and it is gone with its descriptor, however the test ends.
final class SmallDisk: Sendable {
    private let descriptor: Int32

    struct Failure: Error {
        let call: String
        let code: Int32
    }

    /// Mounting is for root, and not in every container.
    static let isPossible = (try? SmallDisk(size: 4096)) != nil
    static let missing = "nothing can be mounted here: only root can, and not everywhere"

    init(size: Int) throws {
        var template = Array((FileManager.default.temporaryDirectory.path + "/sockeye-XXXXXX").utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Failure(call: "mkdtemp", code: errno) }
        defer { unsafe rmdir(template) }
        guard unsafe "size=\(size),mode=700".withCString({ unsafe mount("tmpfs", template, "tmpfs", 0, $0) }) == 0
        else {
            throw Failure(call: "mount", code: errno)
        }
        defer { unsafe umount2(template, Int32(MNT_DETACH)) }
        descriptor = unsafe open(template, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(call: "open", code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Where it is now.
    var folder: String { "/proc/self/fd/\(descriptor)" }
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }
}
