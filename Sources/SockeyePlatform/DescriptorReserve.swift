import Glibc
import Synchronization

/// The descriptors below `RLIMIT_NOFILE` that the library leaves to the rest of the process.
///
/// Other libraries depend on them: libdispatch opens a file of `/proc` for each of its threads once a second, and
/// ends the process if it cannot. So sockets leave 32 descriptors free, and files 16; with a limit below 128 a
/// quarter and an eighth of it. Files may use more, since a transfer that already has its connection waits for its
/// file.
///
/// The kernel assigns the lowest free number, so a number within the reserve means that all below it are taken. Such a
/// descriptor is closed again, and the call fails with EMFILE. The check costs a comparison: the limit is read only
/// when a number would be refused, so that a limit raised meanwhile counts.
enum DescriptorReserve {
    enum Use {
        case socket, file
    }

    /// The lowest numbers within the reserve, by the last known limit; 0 before the limit is first read.
    private static let firstRefusedSocket = Atomic<Int32>(0)
    private static let firstRefusedFile = Atomic<Int32>(0)

    /// Returns the descriptor, or -1 with EMFILE after closing it if it is within the reserve. A negative number is
    /// passed on.
    static func admit(_ descriptor: Int32, for use: Use) -> Int32 {
        if descriptor >= 0, descriptor < first(use) { return descriptor }
        return examine(descriptor, use)
    }

    /// Returns true if a descriptor is within the reserve of sockets.
    static func contains(_ descriptor: Int32) -> Bool {
        guard descriptor >= first(.socket) else { return false }
        readLimit()
        return descriptor >= first(.socket)
    }

    private static func first(_ use: Use) -> Int32 {
        switch use {
        case .socket: firstRefusedSocket.load(ordering: .relaxed)
        case .file: firstRefusedFile.load(ordering: .relaxed)
        }
    }

    private static func examine(_ descriptor: Int32, _ use: Use) -> Int32 {
        let error = errno
        // A limit that was lowered meanwhile causes EMFILE.
        if descriptor >= 0 || error == EMFILE { readLimit() }
        guard descriptor >= first(use) else {
            errno = error
            return descriptor
        }
        close(descriptor)
        errno = EMFILE
        return -1
    }

    private static func readLimit() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        let count = Int32(clamping: limit.rlim_cur)
        let reserve = Self.reserve(of: count)
        firstRefusedSocket.store(count - reserve, ordering: .relaxed)
        firstRefusedFile.store(count - reserve / 2, ordering: .relaxed)
    }

    /// Returns the number of descriptors below a limit that sockets leave free.
    static func reserve(of limit: Int32) -> Int32 { min(32, limit / 4) }
}
