import Glibc

/// The calls that fail when a disk does, so that a test can be the disk.
@safe package struct FileCalls: Sendable {
    /// Writes at a position; the number of bytes taken, or the negative `errno`.
    package var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ position: Int) -> Int
    /// Waits until everything is on the disk; 0 or `errno`.
    package var synchronize: @Sendable (_ descriptor: Int32) -> Int32

    package static let system = unsafe FileCalls(
        write: { descriptor, bytes, position in
            let count = unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(position))
            return count < 0 ? -Int(errno) : count
        },
        synchronize: { fsync($0) == 0 ? 0 : errno })
}
