import Sockeye
import SockeyeTesting
import Testing

@testable import SockeyeToolKit

@Suite("Timing", .timeLimit(.minutes(1)))
struct TimingTests {
    private static func phases(_ spans: [(String, Int, Int)]) -> [CallTimeline.Phase] {
        spans.map { CallTimeline.Phase($0.0, .milliseconds($0.1), .milliseconds($0.2)) }
    }

    private static let timeline = CallTimeline(
        exchanges: [
            CallTimeline.Exchange(
                title: "GET https://example.com/", status: 302,
                phases: phases([("resolve", 0, 10), ("connect", 10, 20), ("tls", 20, 40), ("wait", 40, 60)]),
                connection: ["new", "192.0.2.1:443", "TLSv1.3"], bytesReceived: 1024),
            CallTimeline.Exchange(
                title: "GET https://example.com/b", status: 200,
                phases: phases([("wait", 60, 90), ("receive", 90, 100)]),
                connection: ["reused"], bytesReceived: 512),
        ], duration: .milliseconds(100))

    @Test
    func `the chart places phases at their times`() {
        // Names take 8 columns, times 8, gaps 6; 20 cells for 100 ms are left.
        #expect(
            Waterfall(Self.timeline).lines(width: 42) == [
                "GET https://example.com/ 302", "  new, 192.0.2.1:443, TLSv1.3",
                "  resolve   ██                   10.0 ms", "  connect     ██                 10.0 ms",
                "  tls           ████             20.0 ms", "  wait              ████         20.0 ms",
                "GET https://example.com/b 200", "  reused", "  wait                  ██████   30.0 ms",
                "  receive                     ██ 10.0 ms", "in all 100 ms, 1.5 KiB received",
            ])
    }

    @Test
    func `a narrow terminal has figures without bars`() {
        #expect(Waterfall(Self.timeline).lines(width: 25)[2] == "  resolve  10.0 ms")
    }

    @Test
    func `every bar has at least one cell and stays inside the chart`() {
        let short = CallTimeline(
            exchanges: [
                CallTimeline.Exchange(
                    title: "GET /", status: nil,
                    phases: [
                        CallTimeline.Phase("send", .milliseconds(999), .milliseconds(999)),
                        CallTimeline.Phase("wait", .milliseconds(999), .milliseconds(1000)),
                        CallTimeline.Phase("connect", .zero, .zero),
                        CallTimeline.Phase("receive", .milliseconds(1000), .milliseconds(1300)),
                    ])
            ], duration: .milliseconds(1000))
        for width in 0...120 {
            let lines = Waterfall(short, glyphs: .ascii).lines(width: width)
            #expect(lines[0] == "GET / failed")
            for line in lines.dropFirst().dropLast() where width >= 30 {
                #expect(line.count <= width)
                #expect(line.contains("#"))
            }
        }
        let nothing = CallTimeline(exchanges: [], duration: .zero)
        #expect(Waterfall(nothing).lines(width: 80) == ["in all 0 µs, 0 B received"])
    }

    @Test
    func `the phases of a call follow each other without a gap`() async throws {
        try await withTestServer { request in
            request.path == "/a" ? .redirect(to: "/b") : .ok("content")
        } run: { server in
            var options = OutgoingRequest.Options()
            options.collectsMetrics = true
            let response = try await HTTPClient().get(server.url("/a?token=secret"), options: options)
            _ = try await response.bytes()
            let timeline = CallTimeline(try #require(response.metrics))
            #expect(timeline.exchanges.map(\.status) == [302, 200])
            #expect(timeline.exchanges[0].title == "GET \(server.url("/a?token=***"))")
            #expect(timeline.exchanges[0].phases.map(\.name).suffix(4) == ["connect", "send", "wait", "receive"])
            #expect(timeline.exchanges[1].phases.map(\.name).suffix(3) == ["send", "wait", "receive"])
            #expect(timeline.exchanges[1].connection.first == "reused")
            for exchange in timeline.exchanges {
                for (phase, next) in zip(exchange.phases, exchange.phases.dropFirst()) {
                    #expect(phase.end == next.start || phase.name == "connect")
                    #expect(phase.start <= phase.end && phase.end <= next.start)
                }
            }
        }
    }

    @Test
    func `the timeline for machines is in milliseconds`() {
        let json = Self.timeline.json
        #expect(json["duration"] == 100)
        #expect(json["exchanges"]?[0]?["phases"]?[2] == ["name": "tls", "start": 20, "duration": 20])
        #expect(json["exchanges"]?[1]?["status"] == 200)
    }
}
