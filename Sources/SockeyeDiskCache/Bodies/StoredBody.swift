#if DiskCache
import SockeyeCore
import SockeyeEngine
import SockeyePlatform

/// The open file of a stored body. It stays readable after the cache entry and the file's name are removed.
struct StoredBody: Sendable {
    /// The file's content is not the content that was stored.
    struct Damage: Error {}

    let id: String
    let layout: BlockLayout
    private let file: FileHandle
    private let folder: CacheFolder
    private let name: String

    /// Opens the file and verifies its first block. If the file's version differs from `version`, the content may have
    /// been changed, so all blocks are verified. Blocks the thread.
    ///
    /// - Returns: The body, its first block, and the file's version if it differs from `version`.
    /// - Throws: ``Damage`` if the file is missing, unreadable, not a regular file or has other content; `FileError` or
    ///   ``EntryChecksum/Failure`` if the system lacks descriptors or memory at the moment.
    static func open(
        _ name: String, version: StoredFileVersion, id: String, length: Int, in folder: CacheFolder
    ) throws -> (body: StoredBody, first: Bytes, newVersion: StoredFileVersion?) {
        do {
            let file = try FileHandle(opening: name, in: folder.bodies, for: .readingNoLink)
            let status = try file.status(name)
            let body = StoredBody(
                id: id, layout: BlockLayout(length: length), file: file, folder: folder, name: name)
            guard status.isRegular, status.size == Int64(body.layout.fileSize) else { throw Damage() }
            let first = try body.read(0)
            let found = StoredFileVersion(status)
            if found == version { return (body, first, nil) }
            for block in 0..<body.layout.blockCount { _ = try body.read(block) }
            return (body, first, found)
        } catch let error where isLoss(error) {
            throw Damage()
        }
    }

    /// True if an error of a read means that the content is damaged or unreadable. False for a cancellation, and for a
    /// lack of memory or descriptors.
    static func isLoss(_ error: any Error) -> Bool {
        if let error = error as? FileError { return !error.systemError.isOutOfResources }
        return error is Damage
    }

    /// Returns the content of a block, verified. Blocks the thread.
    func read(_ block: Int) throws -> Bytes {
        let content = layout.content(of: block)
        let storage = ByteStorage.allocate(capacity: content.count + EntryChecksum.size)
        var count = 0
        while count < storage.byteCapacity {
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: storage.mutableBytes[count...])
            let position = BlockLayout.filePosition(of: block) + count
            let result = unsafe folder.calls.readUninterrupted(file.descriptor, room, position)
            if let error = SystemError(ofResult: result) { throw FileError("read", name, error) }
            // No bytes were read: the file was truncated after it was opened.
            guard result > 0 else { throw Damage() }
            count += result
        }
        let bytes = Bytes(storage: storage, offset: 0, count: count)
        let found = bytes.slice(0..<content.count)
        guard try EntryChecksum.of(content: found, block: block, id: id) == bytes.slice(content.count..<count) else {
            throw Damage()
        }
        return found
    }

    /// Returns the content of a block, read by a disk thread. If the task is cancelled, throws at once.
    func content(of block: Int) async throws -> Bytes {
        try await folder.perform { try read(block) }
    }
}
#endif
