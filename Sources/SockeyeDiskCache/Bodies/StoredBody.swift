#if DiskCache
import SockeyeCore
import SockeyeEngine
import SockeyePlatform

/// The open file of a stored body. It can be read to its end whatever becomes of its entry and its name.
struct StoredBody: Sendable {
    /// The content is not what was stored.
    struct Damage: Error {}

    let id: String
    let layout: BlockLayout
    private let file: FileHandle
    private let folder: CacheFolder
    private let name: String

    /// Opens it, and reads all of it where somebody may have changed it since it was stored. Blocks.
    ///
    /// - Returns: The body, its first block, and its version where that is another one than was known.
    /// - Throws: ``Damage`` for a file that is gone, cannot be read, is none of ours, or has other content; what the system says
    ///   where the process cannot open files at the moment.
    static func open(
        _ name: String, version: FileVersion, id: String, length: Int, in folder: CacheFolder
    ) throws -> (body: StoredBody, first: Bytes, newVersion: FileVersion?) {
        do {
            let file = try FileHandle(opening: name, in: folder.bodies, for: .readingNoLink)
            let status = try file.status(name)
            let body = StoredBody(
                id: id, layout: BlockLayout(length: length), file: file, folder: folder, name: name)
            guard status.isRegular, status.size == Int64(body.layout.fileSize) else { throw Damage() }
            let first = try body.read(0)
            let found = FileVersion(status)
            if found == version { return (body, first, nil) }
            for block in 0..<body.layout.blockCount { _ = try body.read(block) }
            return (body, first, found)
        } catch let error as FileError where !error.systemError.isOutOfResources {
            throw Damage()
        }
    }

    /// The content of a block, verified. Blocks.
    func read(_ block: Int) throws -> Bytes {
        let content = layout.content(of: block)
        let storage = ByteStorage.allocate(capacity: content.count + Seal.size)
        var count = 0
        while count < storage.byteCapacity {
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: storage.mutableBytes[count...])
            let position = BlockLayout.filePosition(of: block) + count
            let result = unsafe folder.calls.readUninterrupted(file.descriptor, room, position)
            if let error = SystemError(ofResult: result) { throw FileError("read", name, error) }
            // Somebody has made it shorter.
            guard result > 0 else { throw Damage() }
            count += result
        }
        let bytes = Bytes(storage: storage, offset: 0, count: count)
        let found = bytes.slice(0..<content.count)
        guard try Seal.of(content: found, block: block, id: id) == bytes.slice(content.count..<count) else {
            throw Damage()
        }
        return found
    }

    /// The content of a block, read by a thread for the disk. Cancellation returns at once.
    func content(of block: Int) async throws -> Bytes {
        try await folder.perform { try read(block) }
    }
}
#endif
