import HTTPTypes
import Testing

@testable import SockeyeCache
@testable import SockeyeHTTP

@Suite("Freshness of stored responses") struct CacheFreshnessTests {
    private static let date = CacheScene.date

    @Test(
        "max-age gives the lifetime, else Expires, else an estimate from Last-Modified",
        arguments: [
            (["Cache-Control": "max-age=60", "Expires": date(5)], 200, 60), (["Expires": date(90)], 200, 90),
            (["Expires": date(90), "Date": date(-10)], 200, 100), (["Expires": date(-90)], 200, 0),
            (["Expires": "0"], 200, 0), (["Expires": date(90), "Date": "soon"], 200, 90),
            (["Expires": "Thu, 01 JAN 2026 00:01:00 gmt"], 200, 60),
            (["Expires": "Thursday, 01-Jan-26 00:01:00 GMT"], 200, 60),
            (["Expires": "Thu Jan  1 00:01:00 2026"], 200, 60),
            (["Expires": "Thu, 01 Jan 2026 00:01:00 UTC"], 200, 0), (["Last-Modified": date(-1000)], 200, 100),
            (["Last-Modified": date(-100_000_000)], 200, 86_400), (["Last-Modified": date(10)], 200, 0),
            (["Last-Modified": date(-1000)], 201, 0), (["Last-Modified": date(-1000)], 403, 0),
            (["Last-Modified": date(-1000), "Cache-Control": "public"], 403, 100), (["ETag": "\"1\""], 200, 0),
            (["Cache-Control": "s-maxage=60"], 200, 0), (["CDN-Cache-Control": "max-age=60"], 200, 0),
        ] as [([String: String], Int, Int64)])
    func lifetime(fields: [String: String], status: Int, seconds: Int64) throws {
        #expect(try CacheScene.stored(fields, status: status).derived.lifetime.seconds == seconds)
    }

    @Test(
        "the initial age is the greater of the ages by Date and by Age, and the current age grows with time",
        arguments: [
            ([:], 0), (["Date": date(-50)], 50), (["Date": date(50)], 0), (["Age": "70"], 70),
            (["Age": "70", "Date": date(-90)], 90), (["Age": "-70"], 0), (["Age": "seventy"], 0),
            (["Age": "70, 5"], 70),
            (["Age": "70.5"], 0), (["Age": "99999999999999999999"], 1 << 31),
        ] as [([String: String], Int64)])
    func age(fields: [String: String], age: Int64) throws {
        let stored = try CacheScene.stored(fields).derived
        #expect(stored.currentAge(at: CacheScene.start) == age)
        #expect(stored.currentAge(at: CacheScene.start + 7) == min(age + 7, 1 << 31))
        #expect(stored.response.headers[.age] == nil)
    }

    @Test("a clock that was set back makes every response stale")
    func clockSetBack() throws {
        let stored = try CacheScene.stored(["Cache-Control": "max-age=60"]).derived
        #expect(stored.isFresh(at: CacheScene.start) && !stored.isFresh(at: CacheScene.start - 1))
    }

    @Test("the time from the request to the response counts as age")
    func delay() throws {
        var stored = try CacheScene.stored(["Age": "5"])
        stored.requestTime -= 10
        #expect(stored.derived.currentAge(at: CacheScene.start) == 15)
    }

    @Test(
        "times from a hostile store neither overflow nor give an age outside its limits",
        arguments: [Int64.min, -1, 0, CacheScene.start, Int64.max], [Int64.min, 0, CacheScene.start, Int64.max])
    func hostileTimes(responseTime: Int64, requestTime: Int64) throws {
        for age in [0, Int64.max] {
            for fields in [
                ["Expires": Self.date(5)], ["Last-Modified": Self.date(-5)],
                ["Expires": "Thursday, 01-Jan-26 00:01:00 GMT"],
            ] {
                var response = try CacheScene.stored(fields)
                (response.requestTime, response.responseTime, response.age) = (requestTime, responseTime, age)
                for now in [Int64.min, 0, CacheScene.start, Int64.max] {
                    #expect((0...CacheDirectives.maximumSeconds).contains(response.derived.currentAge(at: now)))
                    _ = response.derived.isFresh(at: now)
                }
            }
        }
    }

    @Test(
        "a written date is read back unchanged",
        arguments: [0, 951_782_400, 1_709_164_799, 1_767_225_600, 253_402_300_799])
    func dates(seconds: Int64) {
        let text = HTTPDate(secondsSinceEpoch: seconds).fieldValue
        #expect(HTTPDate(text, now: 0)?.secondsSinceEpoch == seconds && text.utf8.count == 29)
    }
}
