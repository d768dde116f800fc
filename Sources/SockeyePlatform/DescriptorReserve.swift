import CSockeyeSystem
import Synchronization

/// The highest descriptor numbers below the process's limit (RLIMIT_NOFILE). The library leaves them to the rest of the
/// process.
///
/// Other libraries depend on them: libdispatch opens a file for each of its threads once a second, and ends the process
/// if it cannot. The library's sockets therefore leave 32 descriptors free, and its files leave 16. With a limit below
/// 128, sockets leave a quarter of the limit, and files leave an eighth. Files may use more descriptors than sockets,
/// because a transfer that waits for its file already holds a connection.
///
/// The kernel assigns the lowest free number, so a number within the reserve means that all numbers below it are taken.
/// Such a descriptor is closed again, and the call fails with `tooManyDescriptors`. The application may change the
/// limit, so the limit is read again before a number is refused, and after the kernel has refused to assign a number.
package enum DescriptorReserve {
    package enum Use {
        case socket, file
    }

    /// The lowest numbers within the reserve: one for sockets, one for files. Computed from the last known limit; 0
    /// before the limit is first read.
    private static let firstRefusedSocket = Atomic<Int32>(0)
    private static let firstRefusedFile = Atomic<Int32>(0)

    /// Returns the descriptor. If it is within the reserve, closes it and returns -1, with `tooManyDescriptors` in
    /// ``SystemError/last``. Returns a negative number unchanged.
    package static func admit(_ descriptor: Int32, for use: Use) -> Int32 {
        if descriptor >= 0, descriptor < first(use) { return descriptor }
        return examine(descriptor, use)
    }

    /// Returns true if a descriptor is one of those that sockets must leave free.
    package static func contains(_ descriptor: Int32) -> Bool {
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
        let error = SystemError.last
        // The limit is also read after the kernel has refused to assign a number. The application may have lowered the
        // limit, and later calls need the new reserve.
        if descriptor >= 0 || error == .tooManyDescriptors { readLimit() }
        guard descriptor >= first(use) else {
            sockeye_set_last_error(error.code)
            return descriptor
        }
        sockeye_close(descriptor)
        sockeye_set_last_error(sockeye_error_too_many_descriptors)
        return -1
    }

    /// Opens and closes a descriptor; returns the error if none is available, or only the reserve is left.
    static func probe() -> SystemError? {
        let descriptor = admit(sockeye_descriptor_open_any(), for: .socket)
        guard descriptor >= 0 else { return .last }
        sockeye_close(descriptor)
        return nil
    }

    private static func readLimit() {
        let count = sockeye_descriptor_limit()
        // If the limit cannot be read, the last known one applies.
        guard count >= 0 || first(.file) == 0 else { return }
        let (socket, file) = firstRefused(ofLimit: count)
        firstRefusedSocket.store(socket, ordering: .relaxed)
        firstRefusedFile.store(file, ordering: .relaxed)
    }

    /// Returns the lowest numbers within the reserve for a limit. If the limit is unknown (negative), the reserve is
    /// empty, so that no descriptor is refused.
    package static func firstRefused(ofLimit limit: Int32) -> (socket: Int32, file: Int32) {
        guard limit >= 0 else { return (.max, .max) }
        let reserve = Self.reserve(of: limit)
        return (limit - reserve, limit - reserve / 2)
    }

    /// Returns the number of descriptors below a limit that sockets leave free.
    static func reserve(of limit: Int32) -> Int32 { min(32, limit / 4) }
}
