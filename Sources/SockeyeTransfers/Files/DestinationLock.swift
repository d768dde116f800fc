import Sockeye
import SockeyeCore
import SockeyeEngine
import SockeyePlatform
import Synchronization

/// A process-wide lock of a destination path. Without it, two downloads to the same path would replace each other's
/// file.
final class DestinationLock: Sendable {
    private struct Place: Hashable {
        /// The folder's identity; nil if the folder does not exist yet.
        let folder: FileIdentity?
        /// The name in the folder; the whole path if the folder does not exist yet.
        let path: BytewiseText
    }

    private static let taken = Mutex<Set<Place>>([])

    /// The locked place; nil after the release.
    private let place: Mutex<Place?>

    private init(_ place: Place) {
        self.place = Mutex(place)
    }

    /// Takes the lock.
    ///
    /// - Throws: `EBUSY` if another download has the lock.
    static func take(_ path: String) throws(FileError) -> DestinationLock {
        let folder = SystemFile.status(of: FilePath.folder(of: path))?.identity
        let name = folder == nil ? path : String(FilePath.name(of: path))
        let place = Place(folder: folder, path: BytewiseText(name))
        guard taken.withLock({ $0.insert(place).inserted }) else { throw FileError("download to", path, .busy) }
        return DestinationLock(place)
    }

    deinit { release() }

    /// Releases the lock. Downloads call this explicitly, because the thread that took the lock may keep a reference to
    /// this object slightly longer than the download lasts.
    func release() {
        guard let place = place.withLock({ $0.take() }) else { return }
        _ = Self.taken.withLock { $0.remove(place) }
    }
}
