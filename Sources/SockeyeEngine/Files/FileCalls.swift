import SockeyePlatform

/// The file system calls that a slow or failing disk affects, replaceable so that a test can simulate the disk.
@safe package struct FileCalls: Sendable {
    /// Writes at a position. Returns the number of bytes taken, or the negative error number.
    package var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ position: Int) -> Int
    /// Waits until everything is on the disk. Returns 0 or the error number.
    package var synchronize: @Sendable (_ descriptor: Int32) -> Int32
    /// Reads at a position. Returns the number of bytes, or the negative error number.
    package var read: @Sendable (_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer, _ position: Int) -> Int
    /// Reads only bytes that are available without waiting for the disk. Returns their number, or the negative error
    /// number. The error is `wouldBlock` if no byte is available, and another one if the system cannot tell which bytes
    /// are available.
    package var readCached:
        @Sendable (_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer, _ position: Int) -> Int
    /// Returns how many bytes at the start of a range are available without waiting for the disk; nil if unknown.
    /// `isOwned` is true if the user of this process owns the file. On some file systems, such as tmpfs, the number is
    /// unknown if `isOwned` is false.
    package var cachedPrefix: @Sendable (_ descriptor: Int32, _ range: Range<Int>, _ isOwned: Bool) -> Int?
    /// Removes a file, if it exists.
    package var remove: @Sendable (_ path: String) -> Void
    /// The number of a simulated device; nil for the device that holds the file. Operations on the file run on the
    /// ``DiskThreadPool`` of the device.
    package var device: UInt64?

    package static let system = unsafe FileCalls(
        write: { unsafe SystemFile.write($0, $1, at: $2) },
        synchronize: { SystemFile.synchronize($0)?.code ?? 0 },
        read: { unsafe SystemFile.read($0, into: $1, at: $2) },
        readCached: { unsafe SystemFile.readCached($0, into: $1, at: $2) },
        cachedPrefix: { SystemFile.cachedPrefix($0, $1, isOwned: $2) },
        remove: { SystemFile.remove($0) },
        device: nil)

    /// Reads at a position, and repeats the call if a signal interrupts it (EINTR).
    package func readUninterrupted(_ file: Int32, _ bytes: UnsafeMutableRawBufferPointer, _ position: Int) -> Int {
        while true {
            let count = unsafe read(file, bytes, position)
            if SystemError(ofResult: count) != .interrupted { return count }
        }
    }
}
