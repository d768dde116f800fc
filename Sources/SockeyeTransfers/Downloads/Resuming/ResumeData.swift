import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import SockeyePlatform

/// The state of an unfinished download, from which another task can continue the download, even in another process. The
/// value can be archived.
///
/// It contains the URL with its query but without user name and password, and the path of the temporary file. It also
/// contains the validator, length and announced checksums of the version that was being fetched. It contains neither
/// fields of the request nor a destination: the caller supplies credentials and destination again. If URLs are secret,
/// as signed ones are, so is this value: archive it in a file of mode 0600.
///
/// A forged value cannot harm other files. The library writes to and removes only regular files that are named like its
/// own temporary files, have a link count of 1, and belong to the user of this process. It does not follow links.
/// However, it trusts ``url`` and sends the caller's fields there: check the URL if in doubt.
///
/// Bytes written to the temporary file survive the end of the process, because each write hands them to the kernel.
/// After a power failure the temporary file may contain less than its length says; a checksum detects that.
public struct ResumeData: Sendable, Hashable {
    /// The URL, without user information and fragment.
    public let url: String
    /// The number of bytes written when this value was created. A resumed download also uses bytes that were written
    /// later, unless the file was being downloaded in parts.
    public internal(set) var bytesWritten: Int
    /// The total length in bytes; nil if the server did not announce it.
    public let totalBytes: Int?
    /// The path of the temporary file with the bytes received so far.
    public let temporaryPath: String
    let validator: StrongValidator
    let checksums: [Checksum]
    /// True if the file may have further bytes after a gap, so that only the first ``bytesWritten`` bytes can be used.
    let hasGaps: Bool

    init(
        url: HTTPURL, validator: StrongValidator, bytesWritten: Int, totalBytes: Int?, temporaryPath: String,
        checksums: [Checksum], hasGaps: Bool = false
    ) {
        self.hasGaps = hasGaps
        self.url = url.removingUserInfo.withFragment(nil).description
        self.validator = validator
        self.bytesWritten = bytesWritten
        self.totalBytes = totalBytes
        self.temporaryPath = temporaryPath
        self.checksums = checksums
    }

    /// Returns a copy with another number of bytes written.
    func with(bytesWritten: Int) -> ResumeData {
        var data = self
        data.bytesWritten = min(bytesWritten, totalBytes ?? .max)
        return data
    }

    /// True if this is the state of a download of `url`. Tokens and signatures in the query may differ, because the URL
    /// may have been signed again. Items such as `key` and `code` must be equal: with some servers they name the file.
    func isOfURL(_ url: HTTPURL) -> Bool {
        guard let own = try? HTTPURL(self.url) else { return false }
        let mask = SecretItemMask(mark: "***", isSecret: SecretNames.isSecret)
        let other = url.removingUserInfo.withFragment(nil)
        return mask.masking(url: own.description) == mask.masking(url: other.description)
    }

    /// Removes the temporary file, so that resuming starts over. Does nothing while a running download uses the file. A
    /// forged value cannot make this method remove a file of any other kind; see ``ResumeData``.
    ///
    /// The file is removed even if the task is cancelled. If the disk hangs, this method returns after 30 seconds, or
    /// one second after the task is cancelled, and the removal continues.
    public func discard() async {
        let path = temporaryPath
        await DiskThreadPool.opening.remove { TemporaryFile.remove(path) }
    }
}

extension ResumeData: CustomStringConvertible, CustomReflectable {
    /// For example `1024 of 4096 bytes of https://example.com/file`, without the query.
    public var description: String {
        let total = totalBytes.map { " of \($0)" } ?? ""
        return "\(bytesWritten)\(total) bytes of \(url.prefix { $0 != "?" })"
    }

    /// A mirror with the description only.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
