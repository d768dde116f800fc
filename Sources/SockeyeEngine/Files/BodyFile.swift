package import SockeyeCore
import SockeyePlatform

/// The outline of a body whose bytes come from a producer: files and bytes in memory, in order.
///
/// A class, since few bodies have one and all of them are copied.
package final class BodyOutline: Sendable {
    /// A piece of a body.
    package enum Piece: Sendable {
        case bytes(Bytes)
        case file(String, length: Int?)
        /// What nobody knows before it is read.
        case unknown(length: Int?)
    }

    package let pieces: [Piece]
    /// The file that is all of it, if that is short enough to go out with the head.
    let shortFile: BodyFile?

    package convenience init(_ pieces: [Piece]) { self.init(pieces, shortFile: nil) }

    init(_ pieces: [Piece], shortFile: BodyFile?) {
        self.pieces = pieces
        self.shortFile = shortFile
    }

    /// The same of a body that does more than to read the file.
    var withoutShortFile: BodyOutline { shortFile == nil ? self : BodyOutline(pieces, shortFile: nil) }
}

/// A file that was looked at, to be sent later and perhaps more than once.
///
/// A class, since few bodies have one and all of them are copied.
final class BodyFile: Sendable {
    /// As in ``FileReader/length``.
    let length: Int?
    private let path: String
    private let calls: FileCalls
    private let identity: FileIdentity

    init(_ path: String, calls: FileCalls) throws(SockeyeError) {
        let file = try FileReader(path: path, calls: calls)
        self.path = path
        self.calls = calls
        length = file.length
        identity = file.identity
    }

    /// Opens it again, at once: for a short file, which is not worth a change of threads.
    func open() throws(SockeyeError) -> FileReader {
        try checked(FileReader(path: path, calls: calls))
    }

    /// Opens it again.
    func opened() async throws(SockeyeError) -> FileReader {
        try checked(await FileReader.opened(path, calls: calls))
    }

    /// That it has grown is fine: its first bytes are what there was. Of another file in its place, with another length,
    /// they mean nothing.
    private func checked(_ file: consuming FileReader) throws(SockeyeError) -> FileReader {
        if let length, file.identity != identity, file.length != length {
            throw .bodyLengthMismatch(
                "\(path) was replaced by another file", declared: length, seen: file.length)
        }
        return file
    }
}
