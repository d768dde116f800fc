package import SockeyeCore
import SockeyePlatform

/// Describes the body that a producer (a closure) will write: its pieces, in order. Content that is unknown until the
/// producer runs is a piece, too (``Piece/unknown(length:)``).
///
/// A class, so that all copies of a body share its outline.
package final class BodyOutline: Sendable {
    /// A piece of a body.
    package enum Piece: Sendable {
        case bytes(Bytes)
        /// A file by its path; the length is nil if unknown.
        case file(String, length: Int?)
        /// Content that is unknown before it is read. Its length is nil if the length is unknown, too.
        case unknown(length: Int?)
    }

    package let pieces: [Piece]
    /// The file that is the entire body, if it is short enough to be sent with the head.
    let shortFile: BodyFile?

    package convenience init(_ pieces: [Piece]) { self.init(pieces, shortFile: nil) }

    init(_ pieces: [Piece], shortFile: BodyFile?) {
        self.pieces = pieces
        self.shortFile = shortFile
    }

    /// The same outline without `shortFile`, for a body that must not be sent directly from its file: it has trailers,
    /// or other code sees or changes the content on its way to the connection.
    var withoutShortFile: BodyOutline { shortFile == nil ? self : BodyOutline(pieces, shortFile: nil) }
}

/// A file that was examined, to be sent later and perhaps more than once.
///
/// A class, so that all copies of a body share its file.
final class BodyFile: Sendable {
    /// The length of the file when it was examined; nil if the system does not know the length.
    let length: Int?
    private let path: String
    private let calls: FileCalls
    private let identity: FileIdentity
    /// The threads for the disk that the file was on when it was examined.
    private let disk: DiskThreadPool

    init(_ path: String, calls: FileCalls) throws(SockeyeError) {
        let file = try FileReader(path: path, calls: calls)
        self.path = path
        self.calls = calls
        length = file.length
        identity = file.identity
        disk = file.disk
    }

    /// Opens the file again on this thread. For a short file, which is not worth a change of threads.
    func open() throws(SockeyeError) -> FileReader {
        try checked(FileReader(path: path, calls: calls))
    }

    /// Opens the file again on a disk thread.
    func opened() async throws(SockeyeError) -> FileReader {
        try checked(await FileReader.opened(path, calls: calls, on: disk))
    }

    /// Throws if the path now leads to a different file with another length. A new length of the same file is accepted
    /// here. Only the bytes up to the earlier length are sent, and sending throws if the file ends before that.
    private func checked(_ file: consuming FileReader) throws(SockeyeError) -> FileReader {
        if let length, file.identity != identity, file.length != length {
            throw .bodyLengthMismatch(
                "\(path) was replaced by another file", declared: length, seen: file.length)
        }
        return file
    }
}
