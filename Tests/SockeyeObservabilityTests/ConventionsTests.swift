import Foundation
import HTTPTypes
import SockeyeEngine
import SockeyeHTTP
import SockeyeObservability
import Testing

@Suite("Conventions of OpenTelemetry") struct ConventionsTests {
    @Test(
        "a URL is written without its secrets",
        arguments: [
            ("https://u:p@h.example/a?b=1#f", "https://h.example/a?b=1"),
            ("https://h.example/a?sig=x&color=blue", "https://h.example/a?sig=REDACTED&color=blue"),
            ("https://h.example/a?S%49G=x&", "https://h.example/a?S%49G=REDACTED&"),
            (
                "https://h.example/a?X-Amz-Signature=1&X-AMZ-CREDENTIAL=2",
                "https://h.example/a?X-Amz-Signature=REDACTED&X-AMZ-CREDENTIAL=REDACTED"
            ),
            ("https://h.example/a?access_token=a=b?c", "https://h.example/a?access_token=REDACTED"),
            (
                "https://h.example/a?X-Session-Token=x&jwt=y",
                "https://h.example/a?X-Session-Token=REDACTED&jwt=REDACTED"
            ),
            ("https://h.example/a?clientSecret=x", "https://h.example/a?clientSecret=REDACTED"),
            ("https://h.example/a?sig", "https://h.example/a?sig"),
            ("https://h.example/a?", "https://h.example/a?"),
            ("https://h.example/a#access_token=x", "https://h.example/a"),
        ])
    func urls(url: String, written: String) throws {
        #expect(URLRedaction.usual(try HTTPURL(url)) == written)
    }

    @Test("a redaction can hide further query items by name, or the whole query")
    func further() throws {
        let url = try HTTPURL("https://h.example:8443/a?Tenant=7&sig=1")
        #expect(URLRedaction.usual.hiding("tenant")(url) == "https://h.example:8443/a?Tenant=REDACTED&sig=REDACTED")
        #expect(URLRedaction.withoutQuery(url).hasSuffix(":8443/a"))
        #expect(URLRedaction { $0.host }.hiding("tenant")(url) == "h.example")
    }

    @Test(
        "a peer's name is split into address and port",
        arguments: [
            ("192.0.2.1:443", "192.0.2.1", 443), ("[2001:db8::1]:80", "2001:db8::1", 80),
            ("unix:/run/x.sock", "/run/x.sock", nil),
        ] as [(String, String, Int?)])
    func peers(description: String, address: String, port: Int?) {
        let peer = PeerAddress(description)
        #expect(peer.address == address)
        #expect(peer.port == port)
    }

    @Test(
        "the value of OpenTelemetry's environment variable replaces the list of known methods",
        arguments: [
            (nil, ["GET", "PATCH", "QUERY"], ["PURGE", "get"]), ("", ["GET", "QUERY"], ["PURGE"]),
            ("GET, PURGE", ["GET", "PURGE"], ["POST", "QUERY"]), ("BREW", ["BREW"], ["GET", "POST"]),
        ] as [(String?, [String], [String])])
    func methods(list: String?, known: [String], unknown: [String]) throws {
        let methods = KnownMethods(list)
        for name in known { #expect(methods.contains(try #require(HTTPRequest.Method(name))), "\(name)") }
        for name in unknown { #expect(!methods.contains(try #require(HTTPRequest.Method(name))), "\(name)") }
    }

    @Test("a process reads its known methods from the environment")
    func environment() async {
        await #expect(processExitsWith: .success) {
            unsafe setenv("OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS", "PURGE", 1)
            let purge = try #require(HTTPRequest.Method("PURGE"))
            exit(HTTPConventions.method(purge) == "PURGE" && HTTPConventions.method(.get) == "_OTHER" ? 0 : 1)
        }
    }

    @Test("a status from 400 on is an error")
    func errors() {
        #expect(HTTPConventions.errorType(status: 404) == "404")
        #expect(HTTPConventions.errorType(status: 399) == nil)
    }

    @Test("a duration beyond 64 bits of nanoseconds is clamped before it is converted to seconds")
    func durations() {
        #expect(Duration.milliseconds(250).inSeconds == 0.25 && Duration.milliseconds(-250).inSeconds == -0.25)
        // The longest duration that is not clamped: 2^63 - 1 ns. The second duration below is less than a second
        // longer.
        let longest = Double(Int64.max) / 1e9
        for duration in [Duration.seconds(Int64.max), .seconds(9_223_372_037), .nanoseconds(Int64.max)] {
            #expect(duration.inSeconds == longest)
            #expect((Duration.zero - duration).inSeconds == -longest)
        }
    }
}
