#if AsyncDNS
import Foundation
import SockeyeCore
import SockeyeDNS
import SockeyeNet
import SockeyeTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DNSResolverTests {
    @Test("the resolver returns the addresses of both families with the requested port")
    func families() async throws {
        let server = try TestNameServer { [.send($0.reply(["127.0.0.1", "0:0:0:0:0:0:0:1"]))] }
        let addresses = try await DNSResolver(asking: server).resolve("both.test", port: 8_080)
        #expect(Set(addresses.map { "\($0)" }) == ["127.0.0.1:8080", "[::1]:8080"])
        #expect(Set(server.questions.map(\.type)) == [DNSQuestion.a, DNSQuestion.aaaa])
        #expect(server.questions.allSatisfy { $0.name == "both.test" && !$0.isStream })
    }

    @Test("addresses that this machine cannot reach come last (RFC 6724 rule 1)")
    func order() async throws {
        // 240.0.0.0/4 has no route by definition.
        let server = try TestNameServer { [.send($0.reply(["240.0.0.1", "127.0.0.1"]))] }
        #expect(try await DNSResolver(asking: server).literals(of: "a.test") == ["127.0.0.1:80", "240.0.0.1:80"])
    }

    @Test("the resolver follows aliases within an answer, and returns the shortest TTL of its records")
    func aliases() async throws {
        let server = try TestNameServer { question in
            let records: [DNSRecord] = [
                .alias(question.name, to: "b.test", ttl: 40), .alias("b.test", to: "c.test", ttl: 7),
                DNSRecord(name: "c.test", type: 1, ttl: 300, data: [127, 0, 0, 1]),
            ]
            return [.send(question.type == 1 ? question.reply(records) : question.reply())]
        }
        let answer = try await DNSResolver(asking: server).answer(for: "a.test", port: 80)
        #expect(answer.addresses == [address("127.0.0.1")])
        #expect(answer.timeToLive == .seconds(7))
    }

    @Test(
        "the resolver returns the TTL of the answer, and zero for a TTL with the highest bit set",
        arguments: [(0, 0), (1, 1), (86_400, 86_400), (0x7FFF_FFFF, 0x7FFF_FFFF), (0x8000_0000, 0)] as [(UInt32, Int)])
    func timeToLive(sent: UInt32, seen: Int) async throws {
        let server = try TestNameServer { [.send($0.reply(["127.0.0.1"], ttl: sent))] }
        #expect(try await DNSResolver(asking: server).answer(for: "a.test", port: 80).timeToLive == .seconds(seen))
    }

    // c-ares 1.31 and newer have a cache of their own, which would keep an empty answer for an hour.
    @Test(
        "the resolver keeps no answer itself, neither addresses nor their absence", arguments: [["127.0.0.1"], []])
    func noCache(addresses: [String]) async throws {
        let server = try TestNameServer { [.send($0.reply(addresses, ttl: 300))] }
        let resolver = DNSResolver(asking: server)
        for round in 1...2 {
            let found = try? await resolver.literals(of: "a.test")
            #expect(found ?? [] == addresses.map { "\($0):80" })
            #expect(server.questions.count { $0.type == DNSQuestion.a } == round)
        }
    }

    @Test(
        "each DNS failure has its own error",
        arguments: [(2, .serverFailure), (3, .notFound), (5, .refused), (0, .noData)] as [(UInt8, ResolveError)])
    func errors(code: UInt8, error: ResolveError) async throws {
        let server = try TestNameServer { [.send($0.reply(code: code))] }
        let resolver = DNSResolver(asking: server, attempts: 2)
        await #expect(throws: error) { try await resolver.resolve("a.test", port: 80) }
    }

    @Test("a failure for one family does not matter if the other has addresses")
    func oneFamily() async throws {
        let server = try TestNameServer { question in
            [.send(question.type == 1 ? question.reply(["127.0.0.1"]) : question.reply(code: 2))]
        }
        #expect(try await DNSResolver(asking: server).literals(of: "a.test") == ["127.0.0.1:80"])
    }

    @Test(
        "a failure for one family and no addresses for the other is a failure, in either order",
        arguments: [(2, .serverFailure), (5, .refused)] as [(UInt8, ResolveError)], [DNSQuestion.a, DNSQuestion.aaaa])
    func partialFailure(failure: (UInt8, ResolveError), type: UInt16) async throws {
        for (host, isFirst) in [("a.test", true), ("A.Test.", true), ("a.test", false)] {
            let server = try TestNameServer { question in
                let failed = question.type == type
                let reply = failed ? question.reply(code: failure.0) : question.reply()
                return failed == isFirst ? [.send(reply)] : [.sendLater(reply, .milliseconds(30))]
            }
            await #expect(throws: failure.1) { try await DNSResolver(asking: server).resolve(host, port: 80) }
        }
    }

    @Test("a failure does not count if another server answers")
    func failureMadeGood() async throws {
        let bad = try TestNameServer { question in
            [.send(question.type == DNSQuestion.a ? question.reply(code: 2) : question.reply())]
        }
        let good = try TestNameServer { [.send($0.reply())] }
        await #expect(throws: ResolveError.noData) {
            try await DNSResolver(asking: bad, good, timeout: .milliseconds(500)).resolve("a.test", port: 80)
        }
    }

    @Test("the resolver connects again if the server closes the connection after a few answers", arguments: [1, 3])
    func closedConnections(answers: Int) async throws {
        let counts = Mutex<Int>(0)
        let server = try TestNameServer { question in
            guard question.isStream else { return [.send(question.reply(isTruncated: true))] }
            let isLast = counts.withLock { count in
                count += 1
                return count % answers == 0
            }
            return [.send(question.reply(["127.0.0.1"]))] + (isLast ? [.close] : [])
        }
        let resolver = DNSResolver(asking: server, attempts: 2)
        let failures = await withTaskGroup(of: String?.self) { group in
            for index in 0..<100 {
                group.addTask {
                    do {
                        let count = try await resolver.resolve("a\(index).test", port: 80).count
                        return count == 1 ? nil : "\(count) addresses"
                    } catch {
                        return "\(error)"
                    }
                }
            }
            return await group.reduce(into: [String]()) { failures, failure in
                if let failure { failures.append(failure) }
            }
        }
        #expect(failures.isEmpty)
    }

    @Test("look-ups of cancelled callers do not block other look-ups")
    func desertedNames() async throws {
        let server = try TestNameServer { question in
            question.name.hasPrefix("slow") ? [] : [.send(question.reply(["127.0.0.1"]))]
        }
        let poller = try EventPoller()
        let cache = CachingResolver(DNSResolver(asking: server))
        let slow = (0..<600).map { index in Task { try await cache.resolve("slow\(index).test", on: poller) } }
        await eventually("as many questions as may run at a time") {
            server.questions.count { $0.type == DNSQuestion.a } >= 250
        }
        for task in slow { task.cancel() }
        for task in slow { _ = await task.result }
        // While callers are being cancelled, queued look-ups may replace abandoned ones and be sent.
        await eventually("the withdrawal of all look-ups that were not asked") {
            cache.count <= server.questions.count { $0.type == DNSQuestion.a }
        }
        let deadline = poller.time.now.advanced(by: .seconds(10))
        #expect(try await cache.resolve("fast.test", on: poller, until: deadline).count == 1)
    }

    @Test("a look-up with a silent server ends in time, after the configured attempts")
    func silence() async throws {
        let server = try TestNameServer { _ in [] }
        let resolver = DNSResolver(asking: server, timeout: .milliseconds(50), attempts: 3)
        await #expect(throws: ResolveError.unanswered) { try await resolver.resolve("a.test", port: 80) }
        #expect(server.questions.count == 6)
    }

    // After three answers c-ares 1.32 and newer would wait only 250 ms.
    @Test("an answer after 900 ms arrives in time, even from a server that was fast before")
    func lateAfterFast() async throws {
        let server = try TestNameServer { question in
            let reply = question.reply(["127.0.0.1"])
            return question.name == "late.test" ? [.sendLater(reply, .milliseconds(900))] : [.send(reply)]
        }
        let resolver = DNSResolver(asking: server, timeout: .seconds(5))
        for host in ["a.test", "b.test", "c.test", "late.test"] {
            #expect(try await resolver.literals(of: host) == ["127.0.0.1:80"])
        }
    }

    @Test("a name server's port without a listener is reported as unreachable")
    func noListener() async throws {
        let port: Int
        do {
            let server = try TestNameServer { _ in [] }
            port = server.port
        }
        let resolver = DNSResolver(
            servers: [address("127.0.0.1", port)], searchDomains: [], timeout: .milliseconds(200), attempts: 1)
        // The server's thread closes its sockets a moment later and may swallow a question until then.
        await eventually("the server is gone") {
            let result: Result<[EndpointAddress], any Error>
            do { result = .success(try await resolver.resolve("a.test", port: 80)) } catch { result = .failure(error) }
            return result.resolveError == .unreachable
        }
    }

    @Test("the next server is asked if one fails, refuses or is silent", arguments: [2, 5, nil] as [UInt8?])
    func servers(code: UInt8?) async throws {
        let bad = try TestNameServer { question in code.map { [.send(question.reply(code: $0))] } ?? [] }
        let good = try TestNameServer { [.send($0.reply(["127.0.0.1"]))] }
        let resolver = DNSResolver(asking: bad, good, timeout: .milliseconds(100))
        #expect(try await resolver.literals(of: "a.test") == ["127.0.0.1:80"])
        #expect(!bad.questions.isEmpty)
    }

    @Test("a truncated answer is requested again over TCP, however long it is")
    func truncation() async throws {
        let all = (0..<60).map { "127.0.1.\($0)" }
        let server = try TestNameServer { question in
            question.isStream ? [.send(question.reply(all))] : [.send(question.reply(isTruncated: true))]
        }
        let addresses = try await DNSResolver(asking: server).literals(of: "many.test")
        #expect(Set(addresses) == Set(all.map { "\($0):80" }))
        #expect(server.questions.count { $0.isStream } == 2)
    }

    @Test("of a thousand addresses at most 64 per family are used")
    func thousand() async throws {
        let all = (0..<1_000).map { "127.0.\($0 / 250).\($0 % 250)" }
        let server = try TestNameServer { question in
            question.isStream ? [.send(question.reply(all))] : [.send(question.reply(isTruncated: true))]
        }
        #expect(try await DNSResolver(asking: server).resolve("many.test", port: 80).count == 64)
    }

    @Test("literals and localhost need no server, and an invalid name is refused")
    func known() async throws {
        let server = try TestNameServer { _ in [] }
        let resolver = DNSResolver(asking: server)
        #expect(try await resolver.literals(of: "192.0.2.1") == ["192.0.2.1:80"])
        let local = try await resolver.literals(of: "x.localhost")
        #expect(Set(local) == ["127.0.0.1:80", "[::1]:80"])
        await #expect(throws: ResolveError.invalidName) { try await resolver.resolve("a\0.test", port: 80) }
        await #expect(throws: ResolveError.invalidName) { try await resolver.resolve("a..test", port: 80) }
        #expect(server.questions.isEmpty)
    }

    @Test("an answer with TTL zero is not kept, and others no longer than their records allow")
    func caching() async throws {
        let time = ManualTime()
        // Callers wait in the poller until times of the cache's clock, so both need the same clock.
        let poller = try EventPoller(time: TimeSource(manual: time))
        let server = try TestNameServer { question in
            [.send(question.reply(["127.0.0.1"], ttl: question.name == "zero.test" ? 0 : 5))]
        }
        let cache = CachingResolver(
            DNSResolver(asking: server), configuration: .init(timeToLive: .seconds(30)), time: poller.time)
        func asks(_ name: String) async throws -> Int {
            _ = try await cache.resolve(name, on: poller)
            return server.questions.count { $0.name == name && $0.type == 1 }
        }
        #expect(try await asks("zero.test") == 1)
        #expect(try await asks("zero.test") == 2)
        #expect(try await asks("five.test") == 1)
        time.advance(by: .milliseconds(4_999))
        #expect(try await asks("five.test") == 1)
        time.advance(by: .milliseconds(1))
        #expect(try await asks("five.test") == 2)
    }
}
#endif
