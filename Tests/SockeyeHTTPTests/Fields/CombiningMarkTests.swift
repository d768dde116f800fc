import Testing

@testable import SockeyeHTTP

/// When Swift compares or hashes a string, it sorts the combining marks in quadratic time. It takes minutes here.
@Suite("Fields of combining marks", .timeLimit(.minutes(1))) struct CombiningMarkTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Returns true if a field that contains the argument is read correctly.
        let reads: @Sendable (String) throws -> Bool

        init(_ testDescription: String, _ reads: @escaping @Sendable (String) throws -> Bool) {
            self.testDescription = testDescription
            self.reads = reads
        }
    }

    static let rows = [
        Row("Content-Encoding") { marks in
            guard (try? ContentCoding.parse(["g\(marks)"])) == nil else { return false }
            return (try? ContentCoding.parse(["identity, i\(marks), x-\(marks)"])) == nil
        },
        Row("Content-Encoding of a stored response") { marks in
            try !ContentCoding.isIdentity("i\(marks)") && CacheScene.stored(["Content-Encoding": "i\(marks)"]).isCoded
        },
        Row("Content-Disposition") { marks in
            let names = "a\(marks)=1; f\(marks)=2; f\(marks)*=UTF-8''3; filename*=U\(marks)''a"
            return ContentDisposition("f\(marks)=0; \(names); filename=x").fileName == "x"
        },
        Row("the name of a file") { marks in
            for name in ["a\(marks).b\(marks)", "\(marks).txt", "c\(marks)"] {
                let disposition = ContentDisposition("attachment; filename=\"\(name)\"")
                guard SuggestedFileName.make(disposition, url: nil).utf8.count <= 255 else { return false }
            }
            return true
        },
        Row("Digest") { marks in
            DigestFields.checksums(reprDigest: ["s\(marks)=:AAAA:"], digest: ["s\(marks)=AAAA"]).isEmpty
        },
        Row("ETag of a confirmation") { marks in
            try !CacheScene.stored(["ETag": "W/\"1\""]).isConfirmed(by: [.eTag: "W\(marks)"])
                && !CacheScene.stored(["ETag": "W\(marks)"]).isConfirmed(by: [.eTag: "W/\(marks)"])
        },
        Row("Last-Modified of a confirmation") { marks in
            try !CacheScene.stored(["Last-Modified": "x"]).isConfirmed(by: [.lastModified: "y\(marks)"])
                && !CacheScene.stored(["Last-Modified": "x"]).isDescribed(by: [.lastModified: "y\(marks)"], status: 200)
        },
        Row("Connection, Vary and dates of a stored response") { marks in
            let stored = try CacheScene.stored([
                "Connection": "c\(marks)", "Vary": "v\(marks)", "Date": "d\(marks) gmt\(marks)",
            ])
            let dates = ["d\(marks)", "e\(marks)"]
            return stored.varyNames == nil && CacheDate.seconds(dates, now: CacheScene.start) == nil
                && stored.derived.currentAge(at: CacheScene.start) == 0
        },
        Row("Last-Modified of a partial response") { marks in
            var answer = PartialResponse(status: 206)
            answer.lastModified = ["M\(marks)"]
            return answer.version(comparedTo: .lastModified("Mon, 01 Jan 2024 00:00:00 GMT")) == .other
        },
        Row("a URL in a field that is masked") { marks in
            let value = "a\(marks)@b"
            return SecretItemMask(mark: "*").masking(value, of: "X-Note").utf8.elementsEqual(value.utf8)
        },
    ]

    @Test("a field with 200,000 combining marks is read in linear time", arguments: rows)
    func linear(row: Row) throws {
        let marks = String(repeating: "\u{301}\u{323}", count: 100_000)
        #expect(try row.reads(marks))
    }

    @Test("names in fields are equal only if their bytes are equal")
    func bytes() throws {
        let disposition = ContentDisposition("a; \u{E9}=1; e\u{301}=2")
        #expect(disposition.parameters.map(\.value) == ["1", "2"])
        #expect(disposition["e\u{301}"] == "2")
        #expect(throws: CodecError.self) { try ContentCoding.parse(["gzip\u{301}"]) }
        #expect(try !CacheScene.stored(["Last-Modified": "\u{E9}"]).isConfirmed(by: [.lastModified: "e\u{301}"]))
    }
}
