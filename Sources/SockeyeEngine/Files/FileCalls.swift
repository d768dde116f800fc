import CSockeyeSystem
import Glibc

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
        write: { descriptor, bytes, position in
            let count = unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(position))
            return count < 0 ? -Int(errno) : count
        },
        synchronize: { fsync($0) == 0 ? 0 : errno },
        read: { descriptor, bytes, position in
            let count = unsafe pread(descriptor, bytes.baseAddress, bytes.count, off_t(position))
            return count < 0 ? -Int(errno) : count
        },
        readCached: { descriptor, bytes, position in
            unsafe sockeye_read_cached(descriptor, bytes.baseAddress, bytes.count, off_t(position))
        },
        cachedPrefix: { descriptor, range, isOwned in
            let count = sockeye_cached_prefix(descriptor, off_t(range.lowerBound), range.count, isOwned ? 1 : 0)
            return count < 0 ? nil : count
        }, device: nil)
}
