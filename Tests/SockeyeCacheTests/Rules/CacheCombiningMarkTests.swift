import Testing

@testable import SockeyeCache
@testable import SockeyeHTTP

/// When Swift compares or hashes a string, it sorts the combining marks in quadratic time. It takes minutes here.
@Suite("Fields of combining marks in stored responses", .timeLimit(.minutes(1))) struct CacheCombiningMarkTests {
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
            try !ContentCoding.isIdentity("i\(marks)") && CacheScene.stored(["Content-Encoding": "i\(marks)"]).isCoded
        },
        Row("ETag of a confirmation") { marks in
            try !CacheScene.stored(["ETag": "W/\"1\""]).isConfirmed(by: [.eTag: "W\(marks)"])
                && !CacheScene.stored(["ETag": "W\(marks)"]).isConfirmed(by: [.eTag: "W/\(marks)"])
        },
        Row("Last-Modified of a confirmation") { marks in
            try !CacheScene.stored(["Last-Modified": "x"]).isConfirmed(by: [.lastModified: "y\(marks)"])
                && !CacheScene.stored(["Last-Modified": "x"]).isDescribed(by: [.lastModified: "y\(marks)"], status: 200)
        },
        Row("Connection, Vary and dates") { marks in
            let stored = try CacheScene.stored([
                "Connection": "c\(marks)", "Vary": "v\(marks)", "Date": "d\(marks) gmt\(marks)",
            ])
            let dates = ["d\(marks)", "e\(marks)"]
            return stored.varyNames == nil && CacheDate.seconds(dates, now: CacheScene.start) == nil
                && stored.derived.currentAge(at: CacheScene.start) == 0
        },
    ]

    @Test("a field with 200,000 combining marks is read in linear time", arguments: rows)
    func linear(row: Row) throws {
        let marks = String(repeating: "\u{301}\u{323}", count: 100_000)
        #expect(try row.reads(marks))
    }

    @Test("values of Last-Modified are equal only if their bytes are equal")
    func bytes() throws {
        #expect(try !CacheScene.stored(["Last-Modified": "\u{E9}"]).isConfirmed(by: [.lastModified: "e\u{301}"]))
    }
}
