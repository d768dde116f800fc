import Foundation
import Sockeye
import SockeyeTesting
import Synchronization
import Testing

@Suite("sockeye bench and trace", .timeLimit(.minutes(3)))
struct BenchAndTraceRunTests {
    @Test
    func `a benchmark makes as many requests as it says, over no more connections`() async throws {
        try await withTestServer { request in
            request.path == "/a" ? .redirect(to: "/b") : .ok("content")
        } run: { server in
            let run = try await Tool.run(["bench", server.url(), "-n", "200", "--connections", "4", "--as-json"])
            let json = try run.json
            #expect(run.status == 0 && json["done"] == 200 && json["statuses"] == ["200": 200] && json["bytes"] == 1400)
            #expect((json["requestsPerSecond"]?.double ?? 0) > 0)
            let latency = ["min", "p50", "p90", "p99", "max"].compactMap { json["latency"]?[$0]?.double }
            #expect(latency.count == 5 && latency == latency.sorted())
            #expect(server.activity.requests == 200 && server.activity.connections <= 4)

            let people = try await Tool.run(["bench", "post", server.url("/a"), "a=1", "-n", "10"])
            #expect(people.output.contains("10 of 10 requests over 10 connections"))
            #expect(people.output.contains("status 302  10") && people.output.contains("p99"))
            let secret = try await Tool.run(["bench", server.url("/p?token=secret"), "-n", "1"])
            #expect(secret.output.hasPrefix(server.url("/p?token=***: ")), "\(secret.output)")
        }
    }

    @Test
    func `a benchmark ends in time, and one that only fails says why`() async throws {
        try await withTestServer { _ in
            .never
        } run: { server in
            let run = try await Tool.run(["bench", server.url(), "--seconds", "0.3"])
            #expect(run.status == 28)
            let start = ContinuousClock.now
            let each = try await Tool.run(["bench", server.url(), "-n", "10", "--max-time", "0.2", "--seconds", "50"])
            #expect(each.status == 28 && ContinuousClock.now - start < .seconds(40))
        }
        let closed = try ClosedPort()
        #expect(try await Tool.run(["bench", closed.url(), "-n", "5"]).status == 7)
    }

    @Test
    func `requests that the time limit of a benchmark cuts off are not failures`() async throws {
        let count = Atomic(0)
        try await withTestServer { _ in
            count.add(1, ordering: .relaxed).newValue > 8 ? .never : .ok("x")
        } run: { server in
            let arguments = ["bench", server.url(), "--seconds", "1", "--connections", "4", "--as-json"]
            let run = try await Tool.run(arguments)
            let json = try run.json
            #expect(run.status == 0 && json["done"] == 8 && json["failed"] == 0, "\(run.output)")
        }
    }

    @Test
    func `Ctrl-C ends a benchmark with a report so far`() async throws {
        try await withTestServer { _ in
            .ok("x")
        } run: { server in
            let run = try Tool.start(["bench", server.url(), "-n", "1000000"])
            try await server.wait { $0.requests > 100 }
            run.interrupt()
            let outcome = try await run.outcome()
            #expect(outcome.status == 130 && outcome.output.contains("ended before all requests were made"))
        }
    }

    @Test
    func `a trace shows the phases of every exchange`() async throws {
        let authority = try TestCertificateAuthority()
        let folder = try Tool.Folder()
        try folder.write(authority.pem, to: "ca.pem")
        try await withTestServer(tls: TestTLS(authority)) { request in
            request.path == "/a" ? .redirect(to: "/b") : .ok("content")
        } run: { server in
            let arguments = ["trace", server.url("/a"), "--cacert", "ca.pem"]
            let run = try await Tool.run(arguments, environment: ["COLUMNS": "60"], in: folder)
            #expect(run.status == 0)
            let lines = run.output.split(separator: "\n").map(String.init)
            #expect(lines.first == "GET \(server.url("/a")) 302")
            #expect(lines.contains("GET \(server.url("/b")) 200"))
            #expect(lines[1].contains("new, 127.0.0.1:\(server.port), TLS 1.3"))
            for phase in ["connect", "tls", "send", "wait", "receive"] {
                #expect(lines.contains { $0.hasPrefix("  \(phase)") && $0.contains("█") && $0.count <= 60 })
            }
            let json = try await Tool.run(arguments + ["--as-json"], in: folder).json
            #expect(json["exchanges"]?.array?.count == 2)
            #expect(json["exchanges"]?[0]?["phases"]?.array?.contains { $0["name"] == "tls" } == true)
        }
    }
}
