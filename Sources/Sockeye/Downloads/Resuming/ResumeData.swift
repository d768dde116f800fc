import SockeyeEngine
import SockeyeHTTP
import SockeyePlatform

/// What a download needs to go on where it was, also in another process: as a value that can be archived.
///
/// It has the URL with its query but without user name and password, the validator and length of the version that was being
/// fetched, the checksums that the server gave for it, and where the bytes are that have come so far. It has no fields of
/// the request: who resumes supplies credentials anew. Where URLs are secret, as signed ones are, so is this value; its
/// description leaves the query out.
///
/// Of a value from a stranger the files are safe: the bytes so far are only ever written to, or removed by ``discard()``, in
/// a regular file beside ``destinationPath`` that has a name of this library, one name only (link count 1) and the user of
/// this process as its owner; links are not followed. What is believed is ``url``, which is asked for with whatever fields
/// the caller adds, and ``destinationPath``, where the file goes unless the caller says where: look at the one and give the
/// other if the value may have been changed on its way.
///
/// The bytes so far are in the system's hands with each write, so they survive the end of the process in any way; after a
/// power failure what is in the file may be less than the file's length says, which a checksum finds out.
public struct ResumeData: Sendable, Hashable {
    /// The URL, without user information.
    public let url: String
    /// How many bytes had been written when this was made. If the file has more when it is opened again, those count.
    public internal(set) var bytesWritten: Int
    /// The length of the whole, if the server told it.
    public let totalBytes: Int?
    /// The file with the bytes so far.
    public let temporaryPath: String
    /// Where the file was to go.
    public let destinationPath: String
    /// What was to happen to a file that is there already.
    public let existing: ExistingFilePolicy
    let validator: StrongValidator
    let checksums: [Checksum]
    /// Whether there may be more in the file behind a gap, so that no more counts than ``bytesWritten``.
    let isSparse: Bool

    init(
        url: HTTPURL, validator: StrongValidator, bytesWritten: Int, totalBytes: Int?, temporaryPath: String,
        destinationPath: String, existing: ExistingFilePolicy, checksums: [Checksum], isSparse: Bool = false
    ) {
        self.isSparse = isSparse
        self.url = url.removingUserInfo.withFragment(nil).description
        self.validator = validator
        self.bytesWritten = bytesWritten
        self.totalBytes = totalBytes
        self.temporaryPath = temporaryPath
        self.destinationPath = destinationPath
        self.existing = existing
        self.checksums = checksums
    }

    /// The same with more, or less, written.
    func with(bytesWritten: Int) -> ResumeData {
        var data = self
        data.bytesWritten = min(bytesWritten, totalBytes ?? .max)
        return data
    }

    /// Whether the bytes so far are where a download leaves them.
    var isBesideDestination: Bool { FilePath.folder(of: temporaryPath) == FilePath.folder(of: destinationPath) }

    /// Refuses paths that no download made.
    func check() throws(FileFailure) {
        guard isBesideDestination else { throw .system(FileError("resume", temporaryPath, .invalidArgument)) }
    }

    /// Removes the bytes so far; nothing else, wherever this value is from. Resuming with it afterwards starts over.
    public func discard() {
        if isBesideDestination { TemporaryFile.remove(temporaryPath) }
    }
}

extension ResumeData: CustomStringConvertible, CustomReflectable {
    /// For example `1024 of 4096 bytes of https://example.com/file`, without the query.
    public var description: String {
        let total = totalBytes.map { " of \($0)" } ?? ""
        return "\(bytesWritten)\(total) bytes of \(url.prefix { $0 != "?" })"
    }

    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
