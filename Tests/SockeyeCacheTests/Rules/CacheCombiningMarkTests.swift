import SockeyeTestSupport
import Testing

@testable import SockeyeCache
@testable import SockeyeHTTP

@Suite("Fields of combining marks in stored responses", .timeLimit(.minutes(1))) struct CacheCombiningMarkTests {
    static let fields = [
        MarkedField("Content-Encoding") { marks in
            try !ContentCoding.isIdentity("i\(marks)") && CacheScene.stored(["Content-Encoding": "i\(marks)"]).isCoded
        },
        MarkedField("ETag of a confirmation") { marks in
            try !CacheScene.stored(["ETag": "W/\"1\""]).isConfirmed(by: [.eTag: "W\(marks)"])
                && !CacheScene.stored(["ETag": "W\(marks)"]).isConfirmed(by: [.eTag: "W/\(marks)"])
        },
        MarkedField("Last-Modified of a confirmation") { marks in
            try !CacheScene.stored(["Last-Modified": "x"]).isConfirmed(by: [.lastModified: "y\(marks)"])
                && !CacheScene.stored(["Last-Modified": "x"]).isDescribed(by: [.lastModified: "y\(marks)"], status: 200)
        },
        MarkedField("Connection, Vary and dates") { marks in
            let stored = try CacheScene.stored([
                "Connection": "c\(marks)", "Vary": "v\(marks)", "Date": "d\(marks) gmt\(marks)",
            ])
            let dates = ["d\(marks)", "e\(marks)"]
            return stored.varyNames == nil && CacheDate.seconds(dates, now: CacheScene.start) == nil
                && stored.derived.currentAge(at: CacheScene.start) == 0
        },
    ]

    @Test("a field with 200,000 combining marks is read in linear time", arguments: fields)
    func linear(field: MarkedField) throws {
        #expect(try field.isRead())
    }

    @Test("values of Last-Modified are equal only if their bytes are equal")
    func bytes() throws {
        #expect(try !CacheScene.stored(["Last-Modified": "\u{E9}"]).isConfirmed(by: [.lastModified: "e\u{301}"]))
    }
}
