import SockeyeEngine
import SockeyePlatform
import Synchronization

/// The right to put a file at a place, of which there is one for each place in a process: two downloads to the same one would
/// take turns in replacing each other's work.
final class DestinationClaim: Sendable {
    private struct Place: Hashable {
        /// Nil where there is no telling by what names the folder goes.
        let folder: FileIdentity?
        let path: String
    }

    private static let taken = Mutex<Set<Place>>([])

    private let place: Place

    private init(_ place: Place) {
        self.place = place
    }

    /// - Throws: With `EBUSY` where somebody has it.
    static func take(_ path: String) throws(FileError) -> DestinationClaim {
        let folder = SystemFile.status(of: FilePath.folder(of: path))?.identity
        let place = Place(folder: folder, path: folder == nil ? path : String(FilePath.name(of: path)))
        guard taken.withLock({ $0.insert(place).inserted }) else { throw FileError("download to", path, .busy) }
        return DestinationClaim(place)
    }

    deinit {
        let place = place
        _ = Self.taken.withLock { $0.remove(place) }
    }
}
