import SockeyeEngine
import SockeyePlatform
import Synchronization

/// A lock of a destination path, one for each in a process: two downloads to the same path would replace each other's
/// file.
final class DestinationLock: Sendable {
    private struct Place: Hashable {
        /// Nil if the folder does not exist yet.
        let folder: FileIdentity?
        let path: String
    }

    private static let taken = Mutex<Set<Place>>([])

    /// Nil once it was released.
    private let place: Mutex<Place?>

    private init(_ place: Place) {
        self.place = Mutex(place)
    }

    /// - Throws: With `EBUSY` while another download has it.
    static func take(_ path: String) throws(FileError) -> DestinationLock {
        let folder = SystemFile.status(of: FilePath.folder(of: path))?.identity
        let place = Place(folder: folder, path: folder == nil ? path : String(FilePath.name(of: path)))
        guard taken.withLock({ $0.insert(place).inserted }) else { throw FileError("download to", path, .busy) }
        return DestinationLock(place)
    }

    deinit { release() }

    /// Lets the next download have it. Not left to the last reference: the thread that took the lock may hold one for a moment
    /// longer than the download lasts.
    func release() {
        guard let place = place.withLock({ $0.take() }) else { return }
        _ = Self.taken.withLock { $0.remove(place) }
    }
}
