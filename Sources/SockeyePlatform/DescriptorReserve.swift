import Glibc
import Synchronization

/// The descriptors below `RLIMIT_NOFILE` that the library leaves to the rest of the process.
///
/// Other libraries cannot do without: libdispatch opens a file of `/proc` for each of its threads once a second, and ends the
/// process if it cannot. So sockets leave 32 descriptors free, and files 16; of a limit below 128 a quarter and an eighth.
/// Files may use more, since a transfer that has its connection waits for its file.
///
/// The kernel gives out the lowest free number, so a number within the reserve says that all below it are taken. It is closed
/// again, and the call fails with EMFILE. That costs a comparison; the limit is only asked for when a number is refused, so
/// that one that was raised meanwhile counts.
enum DescriptorReserve {
    enum Use {
        case socket, file
    }

    /// The first numbers that may be too high, by the limit that was last seen; 0 before it was asked for.
    private static let firstRefusedSocket = Atomic<Int32>(0)
    private static let firstRefusedFile = Atomic<Int32>(0)

    /// Returns a descriptor, or -1 with EMFILE if it was within the reserve and is closed now. Failures pass.
    static func admit(_ descriptor: Int32, for use: Use) -> Int32 {
        if descriptor >= 0, descriptor < first(use) { return descriptor }
        return examine(descriptor, use)
    }

    /// Whether a number is within the reserve of sockets.
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
        // A limit that was lowered shows as EMFILE.
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

    /// How many descriptors sockets leave free below a limit.
    static func reserve(of limit: Int32) -> Int32 { min(32, limit / 4) }
}
