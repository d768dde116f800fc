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

    private let place: Place

    private init(_ place: Place) {
        self.place = place
    }

    /// - Throws: With `EBUSY` while another download has it.
    static func take(_ path: String) throws(FileError) -> DestinationLock {
        let folder = SystemFile.status(of: FilePath.folder(of: path))?.identity
        let place = Place(folder: folder, path: folder == nil ? path : String(FilePath.name(of: path)))
        guard taken.withLock({ $0.insert(place).inserted }) else { throw FileError("download to", path, .busy) }
        return DestinationLock(place)
    }

    deinit {
        let place = place
        _ = Self.taken.withLock { $0.remove(place) }
    }
}
