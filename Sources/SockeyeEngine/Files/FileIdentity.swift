package import Glibc

/// Which file something is, whatever name it has: a file that takes the place of another is another one.
package struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64

    package init(_ status: stat) {
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}
