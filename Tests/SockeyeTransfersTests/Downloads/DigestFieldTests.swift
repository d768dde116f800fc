import SockeyeHTTP
import SockeyeTestSupport
import SockeyeTransfers
import Testing

/// The checksums that responses announce for their content.
@Suite struct DigestFieldTests {
    /// The SHA-256 of empty content.
    private static let sha256 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    private static let sha512 =
        "z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="
    private static let hexadecimal = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    @Test(
        "checksums are read from Repr-Digest, or from Digest if there is no Repr-Digest",
        arguments: [
            (["sha-256=:\(sha256):"], [], ["sha-256"]),
            (["sha-512=:\(sha512):, sha-256=:\(sha256):"], [], ["sha-256", "sha-512"]),
            (["sha-512=:\(sha512):", "sha-256=:\(sha256):"], [], ["sha-256", "sha-512"]),
            (["sha-256=:\(sha256):;note=\"x\";q=0.5, md5=:AAAA:, unixsum=5, id=\"abc\""], [], ["sha-256"]),
            (["sha-256=:\(sha256.dropLast()):"], [], ["sha-256"]),
            ([], ["SHA-256=\(sha256),unixsum=30637"], ["sha-256"]),
            ([], ["sha-512=\(sha512)", "md5=abc="], ["sha-512"]),
            (["sha-256=:AAAA:"], [], []), (["sha-256=:not base64:"], [], []), (["SHA-256=:\(sha256):"], [], []),
            (["sha-256=\(sha256)"], [], []), (["sha-256=:\(sha256):,"], [], []), (["sha-256=:\(sha256)"], [], []),
            (["sha-256"], [], []), ([], ["SHA-256"], []), ([], ["SHA-256=AAAA"], []), ([], [], []),
            (["sha-256=:\(sha256): x"], [], []), (["a=(1 2), sha-256=:\(sha256):"], [], []),
        ] as [([String], [String], [String])])
    func fields(repr: [String], legacy: [String], expected: [String]) {
        let found = DigestFields.checksums(reprDigest: repr, digest: legacy)
        #expect(found.map(\.algorithm.rawValue) == expected)
        for checksum in found where checksum.algorithm == .sha256 {
            #expect(checksum.hex == Self.hexadecimal)
        }
    }

    @Test("Repr-Digest overrides Digest, and the last member of each name counts")
    func precedence() throws {
        let other = Checksum(.sha256, bytes: [UInt8](repeating: 0, count: 32))
        let zeros = "sha-256=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:"
        let found = DigestFields.checksums(reprDigest: [zeros], digest: ["sha-256=\(Self.sha256)"])
        #expect(found == [try #require(other)])
        let last = DigestFields.checksums(reprDigest: ["sha-256=:\(Self.sha256):, \(zeros)"], digest: [])
        #expect(last == [try #require(other)])
    }

    @Test("a field with 200,000 combining marks is read in linear time", .timeLimit(.minutes(1)))
    func linear() throws {
        let field = MarkedField("Digest") { marks in
            DigestFields.checksums(reprDigest: ["s\(marks)=:AAAA:"], digest: ["s\(marks)=AAAA"]).isEmpty
        }
        #expect(try field.isRead())
    }

    @Test("a written checksum is read back unchanged")
    func hexadecimal() throws {
        let checksum = try #require(Checksum(.sha256, hex: Self.hexadecimal))
        #expect(checksum.hex == Self.hexadecimal)
        #expect(checksum.description == "sha-256:\(Self.hexadecimal)")
        #expect(Checksum(.sha256, hex: Self.hexadecimal.uppercased()) == checksum)
        for text in ["", "e3", Self.hexadecimal + "00", String(Self.hexadecimal.dropLast()) + "g"] {
            #expect(Checksum(.sha256, hex: text) == nil)
        }
        #expect(Checksum(.sha512, hex: Self.hexadecimal) == nil)
    }
}
