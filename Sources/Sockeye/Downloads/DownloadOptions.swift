public import SockeyeHTTP

/// What one download does differently from others.
public struct DownloadOptions: Sendable {
    /// What the content has to hash to, whatever the server says. Default nothing.
    public var checksums: [Checksum] = []
    /// Whether checksums that the response announces (`Repr-Digest`, RFC 9530, and `Digest`, RFC 3230) are checked. Default
    /// true.
    public var verifiesAnnouncedChecksums = true
    /// How often in a row the transfer goes on by itself after it broke off; a success in between starts the count anew.
    /// Default 5.
    public var maximumResumes = 5

    /// Makes the defaults named at each property, with some of them replaced.
    public init(checksums: [Checksum] = [], verifiesAnnouncedChecksums: Bool = true, maximumResumes: Int = 5) {
        self.checksums = checksums
        self.verifiesAnnouncedChecksums = verifiesAnnouncedChecksums
        self.maximumResumes = maximumResumes
    }
}
