import Glibc

/// An open file, closed with the last reference.
final class FileHandle: Sendable {
    let descriptor: Int32

    init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }
}
