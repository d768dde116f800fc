import FoundationEssentials

/// The parser of digest fields: Repr-Digest (RFC 9530 3), and Digest of RFC 3230, which it replaced.
package enum DigestFields {
    /// The checksums that are known here, one for each algorithm; Repr-Digest comes before Digest.
    ///
    /// A Repr-Digest that is no valid dictionary is ignored as a whole, as RFC 9651 4.2 has it; other algorithms, and
    /// checksums that are not of the length of theirs, singly.
    ///
    /// - Parameters:
    ///   - reprDigest: The values of Repr-Digest.
    ///   - digest: The values of Digest.
    package static func checksums(reprDigest: [String], digest: [String]) -> [Checksum] {
        var found: [Checksum] = []
        for checksum in dictionary(reprDigest) + legacy(digest)
        where !found.contains(where: { $0.algorithm == checksum.algorithm }) {
            found.append(checksum)
        }
        return found
    }

    private static func dictionary(_ values: [String]) -> [Checksum] {
        guard let members = ByteSequenceDictionary.parse(values) else { return [] }
        return Checksum.Algorithm.allCases.compactMap { algorithm in
            members[algorithm.rawValue].flatMap { Checksum(algorithm, bytes: $0) }
        }
    }

    /// `SHA-256=base64,unixsum=30637`: a list whose names do not care for case (RFC 3230 4.1.1).
    private static func legacy(_ values: [String]) -> [Checksum] {
        var found: [Checksum] = []
        for value in values {
            var scan = FieldScanner(value.utf8Span.span)
            while let member = scan.member() {
                var item = scan.part(member)
                let name = item.lowercased(item.take { $0 != UInt8(ascii: "=") })
                guard item.skip(UInt8(ascii: "=")), let algorithm = Checksum.Algorithm(rawValue: name),
                    let bytes = Data(base64Encoded: item.string(item.position..<member.count)),
                    let checksum = Checksum(algorithm, bytes: bytes)
                else { continue }
                found.append(checksum)
            }
        }
        return found
    }
}
