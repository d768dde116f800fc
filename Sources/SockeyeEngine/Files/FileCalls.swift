import SockeyePlatform

/// The calls that take long, or fail, when a disk does, so that a test can be the disk.
@safe package struct FileCalls: Sendable {
    /// Writes at a position; the number of bytes taken, or the negative `errno`.
    package var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ position: Int) -> Int
    /// Waits until everything is on the disk; 0 or `errno`.
    package var synchronize: @Sendable (_ descriptor: Int32) -> Int32
    /// Reads at a position; the number of bytes, or the negative `errno`.
    package var read: @Sendable (_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer, _ position: Int) -> Int
    /// As `read`, of what is there without waiting for the disk: `EAGAIN` where nothing is, another `errno` where the system
    /// cannot tell.
    package var readCached:
        @Sendable (_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer, _ position: Int) -> Int
    /// How many bytes of a range are there without waiting for the disk; nil where that cannot be told.
    package var cachedPrefix: @Sendable (_ descriptor: Int32, _ range: Range<Int>, _ isOwned: Bool) -> Int?
    /// The disk, for which threads wait; nil: the one that the file is on.
    package var device: UInt64?

    package static let system = unsafe FileCalls(
        write: { unsafe SystemFile.write($0, $1, at: $2) },
        synchronize: { SystemFile.synchronize($0)?.code ?? 0 },
        read: { unsafe SystemFile.read($0, into: $1, at: $2) },
        readCached: { unsafe SystemFile.readCached($0, into: $1, at: $2) },
        cachedPrefix: { SystemFile.cachedPrefix($0, $1, isOwned: $2) },
        device: nil)

    /// As `read`, again after a signal.
    package func readUninterrupted(_ file: Int32, _ bytes: UnsafeMutableRawBufferPointer, _ position: Int) -> Int {
        while true {
            let count = unsafe read(file, bytes, position)
            if SystemError(ofResult: count) != .interrupted { return count }
        }
    }
}
