import Sockeye
import SockeyeHTTP
import SockeyeTesting
import Synchronization
import Testing

/// The test vectors of cookies, run with the cookie store alone and with a client over sockets.
@Suite struct CookieWireTests {
    @Test("the store accepts and returns cookies as RFC 6265bis says")
    func rules() throws {
        var passed = 0
        for vector in CookieCase.all {
            var store = CookieStore()
            let url = try HTTPURL(vector.setUrl)
            for field in vector.setCookie {
                _ = try? store.store(Array(field.utf8)[...], from: url, at: vector.unixTime)
            }
            let field = store.field(for: try HTTPURL(vector.requestUrl), besides: []) { vector.unixTime }
            #expect(field ?? "" == vector.expected, "\(vector.id): \(vector.setCookie)")
            if field ?? "" == vector.cookie || vector.bis != nil { passed += 1 }
        }
        print("cookies: \(passed) of \(CookieCase.all.count) as recorded or as RFC 6265bis says")
    }

    @Test("the client exchanges cookies as RFC 6265bis says, over sockets, redirects and TLS", .timeLimit(.minutes(1)))
    func wire() async throws {
        let cases = CookieCase.all
        let server = try await CookieServer(cases)
        let configuration = try server.configuration(for: cases)
        let clients = Dictionary(
            uniqueKeysWithValues: Set(cases.map(\.unixTime)).map {
                ($0, HTTPClient(configuration: configuration, clock: ManualClock(unixTime: $0)))
            })
        for (key, vector) in cases.enumerated() {
            let client = try #require(clients[vector.unixTime]).adding(.cookies(CookiePolicy.Jar()))
            var fields: Headers = ["X-Case": "\(key)", "X-Step": "set"]
            var response = try await client.get(vector.setUrl, headers: fields)
            if vector.viaRedirect != true {
                _ = try await response.bytes()
                fields["X-Step"] = "tell"
                response = try await client.get(vector.requestUrl, headers: fields)
            }
            let sent = try await response.text()
            #expect(sent == vector.expected, "\(vector.id): \(vector.setCookie)")
        }
        await server.stop()
    }
}
