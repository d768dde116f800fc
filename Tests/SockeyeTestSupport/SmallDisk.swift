import Foundation
import Glibc

/// A file system of a few bytes in memory, whose `ENOSPC` is the kernel's. It is taken out of the tree of mounts as soon as
/// it is open, so nobody else sees it, and it is gone with its descriptor, however the test ends.
package final class SmallDisk: Sendable {
    private let descriptor: Int32
    /// Where it stays mounted; nil where it does not.
    private let place: [CChar]?

    package struct Failure: Error {
        let call: String
        let code: Int32
    }

    /// Mounting is for root, and not in every container.
    package static let isPossible = (try? SmallDisk(size: 4096)) != nil
    package static let missing = "nothing can be mounted here: only root can, and not everywhere"

    /// - Parameter staysMounted: For what looks up where a path leads, as SQLite does. Then a process that is killed leaves it.
    package init(size: Int, staysMounted: Bool = false) throws {
        var template = Array((FileManager.default.temporaryDirectory.path + "/sockeye-XXXXXX").utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Failure(call: "mkdtemp", code: errno) }
        defer { if !staysMounted { unsafe rmdir(template) } }
        guard unsafe "size=\(size),mode=700".withCString({ unsafe mount("tmpfs", template, "tmpfs", 0, $0) }) == 0
        else {
            throw Failure(call: "mount", code: errno)
        }
        defer { if !staysMounted { unsafe umount2(template, Int32(MNT_DETACH)) } }
        place = staysMounted ? template : nil
        descriptor = unsafe open(template, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(call: "open", code: errno) }
    }

    deinit {
        close(descriptor)
        guard let place else { return }
        unsafe umount2(place, Int32(MNT_DETACH))
        unsafe rmdir(place)
    }

    /// Where it is now.
    package var folder: String {
        place.map { String(decoding: $0.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) }
            ?? "/proc/self/fd/\(descriptor)"
    }
    package var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }
}
