import Foundation
import Glibc

/// A small in-memory file system that fails with a real `ENOSPC`. It is unmounted lazily (umount2(2),
/// MNT_DETACH) as soon as it is open. So other processes do not see it, and the kernel frees it when its descriptor is
/// closed, even if the process is killed.
package final class SmallDisk: Sendable {
    private let descriptor: Int32
    /// The mount point; nil if the file system was unmounted.
    private let place: [CChar]?

    package struct Failure: Error {
        let call: String
        let code: Int32
    }

    /// True if this process can mount, which needs root and is not possible in every container.
    package static let isPossible = (try? SmallDisk(size: 4096)) != nil
    package static let missing = "cannot mount a file system here: it needs root, and a container that allows it"

    /// Mounts a file system.
    ///
    /// - Parameter staysMounted: True to keep it mounted, for code that resolves paths, such as SQLite. A process that
    ///   is killed then leaves the mount behind.
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

    /// The path of the file system's root.
    package var folder: String {
        place.map { String(decoding: $0.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) }
            ?? "/proc/self/fd/\(descriptor)"
    }
    package var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }
}
