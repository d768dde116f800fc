#if DiskCache
import SockeyeCore
import SockeyeEngine
import SockeyePlatform
import Synchronization

/// The file of a body that no entry names yet. It goes with its last reference unless it was kept; what a killed process
/// leaves behind is swept when the folder is opened again. All of it blocks.
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
        // The blocks of a large file take a while to free.
        folder.disk.begin { folder.removeBodies([name]) }
    }

    /// After so many blocks the system begins to bring them to the disk, so that ``synchronize()`` need not wait for all.
    private static let writeBackInterval = 32

    /// Writes a block of content with its seal.
    func write(_ block: SealedBlock) throws(FileError) {
        let position = BlockLayout.filePosition(of: block.number)
        try write(block.content, at: position)
        try write(block.seal, at: position + block.content.count)
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
                // A disk that takes nothing and does not say why is full.
                throw FileError("write", name, SystemError(ofResult: count) ?? .noSpace)
            }
        }
    }

    /// Brings content and name to the disk, so that an entry may name the file.
    func synchronize() throws(FileError) -> FileVersion {
        for descriptor in [file.descriptor, folder.bodies.descriptor] {
            let code = folder.calls.synchronize(descriptor)
            guard code == 0 else { throw FileError("synchronize", name, SystemError(code)) }
        }
        return FileVersion(try file.status(name))
    }

    /// Lets the file be: there is an entry.
    func keep() {
        isKept.store(true, ordering: .relaxed)
    }
}
#endif
