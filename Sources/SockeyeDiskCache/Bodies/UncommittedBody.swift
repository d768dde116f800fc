#if DiskCache
import SockeyeCore
import SockeyeEngine
import SockeyePlatform
import Synchronization

/// The file of a body that has no entry in the database yet. Unless ``keep()`` was called, the file is removed when the
/// last reference to this object is released. Files of a killed process are removed when the folder is opened again.
/// The operations on the file block the calling thread.
final class UncommittedBody: Sendable {
    let name: String
    private let file: FileHandle
    private let folder: CacheFolder
    private let isKept = Atomic(false)

    init(in folder: CacheFolder) throws(FileError) {
        name = CacheFolder.newBodyName()
        file = try FileHandle(opening: name, in: folder.bodies, for: .creating, mode: 0o600)
        self.folder = folder
    }

    deinit {
        guard !isKept.load(ordering: .relaxed) else { return }
        let (folder, name) = (folder, name)
        // On a disk thread, because freeing the blocks of a large file takes a while.
        folder.disk.begin { folder.removeBodies([name]) }
    }

    /// The number of blocks after which the system is told to write them to the disk, so that ``synchronize()`` need
    /// not wait for all blocks.
    private static let writeBackInterval = 32

    /// Writes a block of content with its checksum.
    func write(_ block: ChecksummedBlock) throws(FileError) {
        let position = BlockLayout.filePosition(of: block.number)
        try write(block.content, at: position)
        try write(block.checksum, at: position + block.content.count)
        let next = block.number + 1
        guard next % Self.writeBackInterval == 0 else { return }
        let start = BlockLayout.filePosition(of: next - Self.writeBackInterval)
        SystemFile.writeBack(file.descriptor, from: start, count: BlockLayout.filePosition(of: next) - start)
    }

    private func write(_ bytes: Bytes, at position: Int) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let rest = bytes.slice(done..<bytes.count)
            let count = unsafe rest.withUnsafeBytes { unsafe folder.calls.write(file.descriptor, $0, position + done) }
            if count > 0 {
                done += count
            } else if SystemError(ofResult: count) != .interrupted {
                // If the disk accepts no byte and reports no error, it counts as full.
                throw FileError("write", name, SystemError(ofResult: count) ?? .noSpace)
            }
        }
    }

    /// Synchronizes content and name to the disk, so that an entry may refer to the file.
    func synchronize() throws(FileError) -> StoredFileVersion {
        for descriptor in [file.descriptor, folder.bodies.descriptor] {
            let code = folder.calls.synchronize(descriptor)
            guard code == 0 else { throw FileError("synchronize", name, SystemError(code)) }
        }
        return StoredFileVersion(try file.status(name))
    }

    /// Keeps the file, because it has an entry now.
    func keep() {
        isKept.store(true, ordering: .relaxed)
    }
}
#endif
