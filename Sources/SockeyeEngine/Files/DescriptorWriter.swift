import SockeyeCore
import SockeyeNet
import SockeyePlatform
import Synchronization

/// A writer to a descriptor that another part of the program owns. It does not block the caller's thread.
///
/// It writes to a duplicate (dup(2)): if the owner closes the descriptor and its number is reused, nothing is written
/// to the wrong file. Sockets are written with calls that do not block, even if the socket is blocking. A pipe or
/// terminal is opened a second time with O_NONBLOCK, because setting the flag on the owner's open file would affect
/// all its users. Disk threads write to all other files, and to pipes and terminals that cannot be opened a second
/// time, for example on systems without ``SystemFeature/reopening``.
final class DescriptorWriter: Sendable {
    private enum Way: Sendable {
        case disk(DiskThreadPool)
        case polled(WaitPoint, SystemFile.Writing)
    }

    private let file: FileHandle
    private let name: String
    private let way: Way
    /// The wait point of a pipe or terminal that disk threads write to. Nil until a write would block, which happens
    /// only if the owner has set O_NONBLOCK.
    private let fullPoint = Mutex<WaitPoint?>(nil)

    init(_ descriptor: Int32) throws(FileFailure) {
        name = "descriptor \(descriptor)"
        do throws(FileError) {
            let own = try FileHandle(duplicating: descriptor, name)
            let status = try own.status(name)
            if status.isRegular {
                file = own
                way = .disk(.of(status.device))
                return
            }
            let isSocket = SystemSocket.isSocket(own.descriptor)
            let polled = isSocket ? own : (try? FileHandle(reopening: own, for: .writing, name)) ?? own
            let canWait = isSocket || polled !== own
            // The poller refuses devices such as /dev/null, so disk threads write to them. These writes end soon.
            if canWait, let point = try? EventPoller.shared().makeWaitPoint(descriptor: polled.descriptor) {
                file = polled
                way = .polled(point, isSocket ? .toSocket : .appending)
            } else {
                file = own
                way = .disk(.of(status.device))
            }
        } catch {
            throw .system(error)
        }
    }

    deinit {
        // The poller must end its watch before the descriptor is closed. Closing may not end the watch: the kernel
        // watches the open file, which the owner's descriptor may keep open.
        if case .polled(let point, _) = way { close(point) }
        if let point = fullPoint.withLock({ $0 }) { close(point) }
    }

    private func close(_ point: WaitPoint) {
        point.close()
        point.poller.unwatch(file.descriptor)
    }

    func write(_ bytes: Bytes) async throws {
        do throws(FileFailure) {
            switch way {
            case .disk(let threads):
                let (file, name) = (file, name)
                var start = 0
                while true {
                    let first = start
                    start = try await threads.run { () throws(FileError) in
                        try Self.write(bytes, from: first, to: file, name)
                    }
                    guard start < bytes.count else { break }
                    try await waitUntilWritable()
                }
            case .polled(let point, let writing):
                try await write(bytes, writing, waitingAt: point)
            }
        } catch {
            throw SockeyeError(error)
        }
    }

    /// Writes the bytes from an index on; may block the thread. Returns the index after the last written byte. This
    /// index is less than the number of bytes only if the descriptor has O_NONBLOCK and is full.
    private static func write(
        _ bytes: Bytes, from first: Int, to file: FileHandle, _ name: String
    ) throws(FileError) -> Int {
        var start = first
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe SystemFile.write(
                    file.descriptor, UnsafeRawBufferPointer(rebasing: buffer[start...]), .appending)
            }
            if SystemError(ofResult: count) == .wouldBlock { break }
            start += try progress(count, name)
        }
        return start
    }

    private func waitUntilWritable() async throws(FileFailure) {
        let point = fullPoint.withLock { known in
            if known == nil { known = try? EventPoller.shared().makeWaitPoint(descriptor: file.descriptor) }
            return known
        }
        guard let point else { throw .system(FileError("write to", name, .wouldBlock)) }
        guard await point.wait(for: .write, as: .writer, until: .distantFuture) == .ready else { throw .cancelled }
    }

    private func write(
        _ bytes: Bytes, _ writing: SystemFile.Writing, waitingAt point: WaitPoint
    ) async throws(FileFailure) {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe SystemFile.write(file.descriptor, UnsafeRawBufferPointer(rebasing: buffer[start...]), writing)
            }
            if SystemError(ofResult: count) == .wouldBlock {
                guard await point.wait(for: .write, as: .writer, until: .distantFuture) == .ready else {
                    throw .cancelled
                }
                continue
            }
            do throws(FileError) { start += try Self.progress(count, name) } catch { throw .system(error) }
        }
    }

    /// Returns the number of bytes that a system call has written; 0 if a signal interrupted the call.
    private static func progress(_ result: Int, _ name: String) throws(FileError) -> Int {
        guard let error = SystemError(ofResult: result) else {
            // A device that takes nothing and reports no error is full.
            guard result > 0 else { throw FileError("write to", name, .noSpace) }
            return result
        }
        guard error != .interrupted else { return 0 }
        throw FileError("write to", name, error)
    }
}
