#if DiskCache
package import SockeyeCore
import SockeyeHTTP

/// A checksum of the head of an entry or of a block of its content.
///
/// It is the SHA-256 of a first line, then two names, then the bytes of the head or block. The first line has the kind
/// (`head` or `body`) and the lengths of the names and bytes. The names of a head are the entry's key and id. The names
/// of a block are the entry's id and the block's number.
///
/// The checksum detects flipped bits. Because it covers the names, it also detects a head or block that took the place
/// of another one.
///
/// It is not a signature: a process that can write the files can also compute checksums.
package enum EntryChecksum {
    static let size = 32

    /// The hash library has no memory left.
    package struct Failure: Error {}

    package static func of(head: Bytes, id: String, key: String) throws(Failure) -> Bytes {
        try of("head", Bytes(key), Bytes(id), head)
    }

    /// - Parameter block: The number of the block of content, counted from 0.
    static func of(content: Bytes, block: Int, id: String) throws(Failure) -> Bytes {
        try of("body", Bytes(id), Bytes(String(block)), content)
    }

    private static func of(_ kind: String, _ parts: Bytes...) throws(Failure) -> Bytes {
        guard let hash = IncrementalHash(.sha256) else { throw Failure() }
        var name = kind
        for part in parts { name += " \(part.count)" }
        hash.update(Bytes(name + "\n"))
        for part in parts { hash.update(part) }
        let checksum = Bytes(hash.finish())
        guard checksum.count == size else { throw Failure() }
        return checksum
    }
}
#endif
