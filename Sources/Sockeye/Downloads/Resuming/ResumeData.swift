import SockeyeEngine
import SockeyeHTTP
import SockeyePlatform

/// The state of an unfinished download, from which another task can continue it, also in another process. It can be archived.
///
/// It has the URL with its query but without user name and password, the validator and length of the version that was being
/// fetched, the checksums that the server gave for it, and the path of the temporary file with the bytes so far. It has no
/// fields of the request, so that the caller supplies credentials anew, and no destination: the caller names that, too.
/// If URLs are secret, as signed ones are, so is this value: archive it in a file of mode 0600. Its description leaves
/// the query out.
///
/// A value that another user or a server may have written cannot harm other files. The library writes to and removes only
/// regular files that have a name of its own temporary files, a link count of 1 and the user of this process as their owner;
/// links are not followed. It believes ``url``, however, and sends the caller's fields there: compare it if in doubt.
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
    let validator: StrongValidator
    let checksums: [Checksum]
    /// Whether there may be more in the file behind a gap, so that no more counts than ``bytesWritten``.
    let isSparse: Bool

    init(
        url: HTTPURL, validator: StrongValidator, bytesWritten: Int, totalBytes: Int?, temporaryPath: String,
        checksums: [Checksum], isSparse: Bool = false
    ) {
        self.isSparse = isSparse
        self.url = url.removingUserInfo.withFragment(nil).description
        self.validator = validator
        self.bytesWritten = bytesWritten
        self.totalBytes = totalBytes
        self.temporaryPath = temporaryPath
        self.checksums = checksums
    }

    /// The same with more, or less, written.
    func with(bytesWritten: Int) -> ResumeData {
        var data = self
        data.bytesWritten = min(bytesWritten, totalBytes ?? .max)
        return data
    }

    /// Whether it is of this URL. The secrets of a query may differ, as those of URLs that are signed anew.
    func isOfURL(_ url: HTTPURL) -> Bool {
        guard let own = try? HTTPURL(self.url) else { return false }
        return own.masked == url.removingUserInfo.withFragment(nil).masked
    }

    /// Removes the temporary file, and never any other, whatever the value's origin. Resuming afterwards starts over.
    public func discard() {
        TemporaryFile.remove(temporaryPath)
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
