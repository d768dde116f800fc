import HTTPTypes
import Sockeye
import SockeyeCore
import SockeyeHTTP
import SockeyeStreams
import SockeyeTesting
import Testing

@testable import SockeyeCache

@Suite("Extreme numbers in fields that policies read", .serialized, .timeLimit(.minutes(5)))
struct FieldNumberTests {
    private static func kept(_ fields: String, status: String = "200 OK") -> RawAnswer {
        RawAnswer(text: "HTTP/1.1 \(status)\r\n\(fields)\r\nContent-Length: 2\r\n\r\nok", closesConnection: false)
    }

    /// Dates with an extreme number in each position.
    private static let dates =
        ExtremeNumber.decimal.flatMap { number in
            [
                "Sun, 06 Nov \(number) 08:49:37 GMT", "Sun, \(number) Nov 1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 \(number):49:37 GMT", "Sunday, 06-Nov-\(number) 08:49:37 GMT",
                "Sun Nov  6 08:49:37 \(number)",
            ]
        } + [
            "Sun, 06 Nov 0000 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "0",
            "-1",
        ]

    private static let cacheFields: [String] =
        ExtremeNumber.decimal.flatMap { number in
            [
                "Age: \(number)", "Age: \(number)\r\nCache-Control: max-age=\(number)",
                "Cache-Control: max-age=\(number), stale-while-revalidate=\(number), stale-if-error=\(number)",
                "Cache-Control: max-age=\"\(number)\", s-maxage=\(number)",
                "Cache-Control: max-age=0, stale-if-error=\(number)",
            ]
        }
        + dates.flatMap { date in
            [
                "Date: \(date)\r\nExpires: \(date)", "Expires: \(date)", "Last-Modified: \(date)",
                "Date: \(date)\r\nAge: 1",
            ]
        }

    @Test("a cache stores, serves and validates a response with an extreme number")
    func cache() async throws {
        let scene = try NumberScene(
            Self.cacheFields.map { [Self.kept($0), Self.kept($0), Self.kept($0, status: "503 Service Unavailable")] })
        var policy = CachePolicy(CachePolicy.MemoryStore(limit: 1 << 20))
        policy.staleIfError = .seconds(Int64.max)
        let client = NumberScene.client { $0.interceptors = [.cache(policy)] }
        await scene.run("stored") { _ = try await client.get(scene.url($0)).text() }
        await scene.run("served") { _ = try await client.get(scene.url($0)).text() }
        await scene.run("in the place of an error") { index in
            _ = try await client.get(scene.url(index), headers: [.cacheControl: "max-age=0"]).text()
        }
    }

    @Test("a request with an extreme directive is answered from the cache or sent")
    func requestDirectives() async throws {
        let scene = try NumberScene(ExtremeNumber.decimal.map { _ in [Self.kept("Cache-Control: max-age=60")] })
        let client = NumberScene.client { $0.interceptors = [.cache(CachePolicy.MemoryStore(limit: 1 << 20))] }
        for name in ["max-age", "max-stale", "min-fresh", "stale-if-error"] {
            await scene.run(name) { index in
                let value = "\(name)=\(ExtremeNumber.decimal[index])"
                _ = try await client.get(scene.url(index), headers: [.cacheControl: value]).text()
            }
        }
    }

    @Test("after an extreme Keep-Alive the next request is served, by the same connection or another one")
    func keepAlive() async throws {
        let scene = try NumberScene(
            ExtremeNumber.decimal.flatMap { number in
                ["timeout=\(number)", "max=\(number)", "timeout=\(number), max=\(number)"].map {
                    [Self.kept("Connection: keep-alive\r\nKeep-Alive: \($0)")]
                }
            })
        let client = NumberScene.client()
        for _ in 0..<2 {
            await scene.run("kept") { index in
                let text = try await client.get(scene.url(index)).text()
                #expect(text == "ok")
            }
        }
    }

    @Test("an extreme Retry-After is waited for or ends the call")
    func retryAfter() async throws {
        // Without the values of one second, for which the client would really wait.
        let values = ExtremeNumber.decimal.filter { $0 != "1" && $0 != "1.5" } + Self.dates
        let refusal = "503 Service Unavailable"
        let scene = try NumberScene(
            values.map { [Self.kept("Retry-After: \($0)", status: refusal), Self.kept("A: b")] })
        let client = NumberScene.client { $0.interceptors = [.retry(max: 1, backoff: .none, budget: nil)] }
        await scene.run("bounded") { _ = try await client.get(scene.url($0)).text() }

        var policy = RetryPolicy.retry(max: 1, backoff: .none, budget: nil)
        policy.maximumRetryAfter = .seconds(Int64.max)
        let endless = try NumberScene(
            values.map { [Self.kept("Retry-After: \($0)", status: refusal), Self.kept("A: b")] })
        let patient = NumberScene.client {
            $0.interceptors = [policy]
            $0.timeouts = Timeouts(total: .milliseconds(50))
        }
        for index in 0..<endless.count {
            do { _ = try await patient.get(endless.url(index)).text() } catch {
                #expect(error.code == .timeout, "\(values[index]): \(error)")
            }
        }
    }

    @Test("an extreme reconnection time is waited for no longer than the caller allows")
    func events() async throws {
        let scene = try NumberScene(
            ExtremeNumber.decimal.map { number in
                let fields = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                let stream = RawAnswer(text: "\(fields)retry: \(number)\nid: \(number)\ndata: a\n\n")
                return [stream, stream, RawAnswer(text: "HTTP/1.1 204 No Content\r\n\r\n")]
            })
        var settings = HTTPClient.EventStream.Options()
        settings.reconnection.longestPause = .milliseconds(1)
        settings.reconnection.backoff = .none
        let client = NumberScene.client()
        await scene.run("events") { index in
            var count = 0
            for try await event in client.events(scene.url(index), options: .eventStream(settings)) {
                count += 1
                #expect(event.data == "a" && event.retry ?? .zero >= .zero)
            }
            #expect(count == 2)
        }
    }

    @Test("a cookie with an extreme age is kept or dropped")
    func cookies() async throws {
        let values = ExtremeNumber.decimal.map { "Max-Age=\($0)" } + Self.dates.map { "Expires=\($0)" }
        let scene = try NumberScene(values.map { [Self.kept("Set-Cookie: a=b; \($0)")] })
        let client = NumberScene.client { $0.interceptors = [.cookies()] }
        for _ in 0..<2 { await scene.run("cookies") { _ = try await client.get(scene.url($0)).text() } }
    }
}
