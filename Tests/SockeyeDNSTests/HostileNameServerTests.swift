#if AsyncDNS
import SockeyeCore
import SockeyeDNS
import SockeyeNet
import SockeyeTestSupport
import Testing

/// Name servers that lie, and impostors that answer in their place.
@Suite(.timeLimit(.minutes(1)))
struct HostileNameServerTests {
    /// A false answer, sent before the true one.
    enum FalseAnswer: CaseIterable {
        case otherNumber, otherQuestion, otherType, noQuestion, twoQuestions, empty, cutShort, garbage, endlessName,
            flood
    }

    private static func messages(for kind: FalseAnswer, to question: DNSQuestion) -> [[UInt8]] {
        let bad = ["127.0.0.66", "0:0:0:0:0:0:0:66"]
        let records = bad.compactMap { DNSRecord(address: $0, of: question.name) }.filter { $0.type == question.type }
        let other = DNSQuestion(id: question.id, name: "other.test", type: question.type)
        return switch kind {
        case .otherNumber: [question.reply(records, id: question.id &+ 1)]
        case .otherQuestion: [question.reply(records, section: other.section)]
        case .otherType:
            [question.reply(records, section: DNSQuestion(id: 0, name: question.name, type: 15).section)]
        case .noQuestion: [Array(question.reply(records)[..<12])]
        case .twoQuestions:
            [Array(question.reply()[..<4]) + [0, 2, 0, 0, 0, 0, 0, 0] + question.section + question.section]
        case .empty: [[]]
        case .cutShort: (0..<12).map { Array(question.reply(records)[..<$0]) }
        case .garbage:
            (0..<64).map { seed in
                var random = SplitMix(seed: UInt64(seed))
                return (0..<Int.random(in: 1...511, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            }
        // A name that points to itself (RFC 1035 4.1.4).
        case .endlessName: [Array(question.reply()[..<12]) + [0xC0, 0x0C, 0, 1, 0, 1]]
        case .flood: Array(repeating: question.reply(records, id: question.id &+ 7), count: 600)
        }
    }

    @Test("a false answer is ignored, and the true one after it is accepted", arguments: FalseAnswer.allCases)
    func falseAnswers(kind: FalseAnswer) async throws {
        let server = try TestNameServer { question in
            Self.messages(for: kind, to: question).map { .send($0) } + [.send(question.reply(["127.0.0.1"]))]
        }
        // The flood may leave no room for the true answer, which then arrives on another attempt.
        let resolver = DNSResolver(asking: server, timeout: .milliseconds(300), attempts: 5)
        #expect(try await resolver.literals(of: "a.test") == ["127.0.0.1:80"])
    }

    /// An answer to the right question with the wrong content.
    enum Content: CaseIterable {
        case otherName, aliasLoop, aliasToItself, longChain, wrongLength, lengthBeyondEnd, countBeyondEnd, otherClass
        case endlessAlias
    }

    private static func content(_ content: Content, for question: DNSQuestion) -> [UInt8] {
        let name = question.name
        let length = question.type == DNSQuestion.a ? 4 : 16
        func address(of name: String, length: Int) -> DNSRecord {
            DNSRecord(name: name, type: question.type, ttl: 60, data: Array(repeating: 1, count: length))
        }
        switch content {
        case .otherName: return question.reply([address(of: "other.test", length: length)])
        case .aliasLoop: return question.reply([.alias(name, to: "b.test"), .alias("b.test", to: name)])
        case .aliasToItself: return question.reply(Array(repeating: .alias(name, to: name), count: 5))
        case .longChain:
            return question.reply((0..<10).map { .alias($0 == 0 ? name : "a\($0).test", to: "a\($0 + 1).test") })
        case .wrongLength: return question.reply([address(of: name, length: length - 1)])
        case .lengthBeyondEnd: return Array(question.reply([address(of: name, length: length)]).dropLast(3))
        case .countBeyondEnd:
            var message = question.reply([address(of: name, length: length)])
            message[6] = 0xFF
            return message
        case .otherClass:
            var message = question.reply([address(of: name, length: length)])
            message[message.count - length - 8] = 3  // CH
            message[message.count - length - 7] = 3
            return message
        case .endlessAlias:
            let end = UInt16(12 + question.section.count + DNSRecord.encoded(name).count + 10)
            let pointer = [0xC0 | UInt8(end >> 8), UInt8(truncatingIfNeeded: end)]
            return question.reply([DNSRecord(name: name, type: 5, ttl: 60, data: pointer)])
        }
    }

    @Test("an answer without an address of the exact name is refused", arguments: Content.allCases)
    func contents(content: Content) async throws {
        let server = try TestNameServer { [.send(Self.content(content, for: $0))] }
        let resolver = DNSResolver(asking: server, timeout: .milliseconds(200))
        await #expect(throws: ResolveError.self) { try await resolver.resolve("a.test", port: 80) }
        // Afterwards a look-up with an honest server succeeds.
        let honest = try TestNameServer { [.send($0.reply(["127.0.0.1"]))] }
        #expect(try await DNSResolver(asking: honest).literals(of: "a.test") == ["127.0.0.1:80"])
    }

    /// The look-ups run at the same time, because a look-up whose answers are ignored waits for its timeout.
    @Test("random changes of an honest answer give addresses or an error")
    func mutations() async throws {
        try await withThrowingTaskGroup { group in
            for seed in 0..<200 as Range<UInt64> { group.addTask { try await Self.mutate(seed) } }
            try await group.waitForAll()
        }
    }

    private static func mutate(_ seed: UInt64) async throws {
        let server = try TestNameServer { question in
            var random = SplitMix(seed: seed &+ UInt64(question.type))
            var message = question.reply(["127.0.0.1", "127.0.0.2", "0:0:0:0:0:0:0:1"])
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                message[Int.random(in: 2..<message.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { message.removeLast(Int.random(in: 0..<message.count - 2, using: &random)) }
            return [.send(message)]
        }
        let resolver = DNSResolver(asking: server, timeout: .milliseconds(40))
        do {
            let addresses = try await resolver.resolve("a.test", port: 80)
            #expect((1...3).contains(addresses.count), "seed \(seed)")
        } catch is ResolveError {}
    }

    @Test("a repeated answer changes nothing")
    func repetitions() async throws {
        let server = try TestNameServer { question in
            let reply = question.reply(["127.0.0.1"])
            return [.send(reply), .send(reply), .sendLater(reply, .milliseconds(20))]
        }
        let resolver = DNSResolver(asking: server)
        for _ in 0..<20 { #expect(try await resolver.literals(of: "a.test") == ["127.0.0.1:80"]) }
    }

    @Test("the resolver waits for a late answer")
    func delays() async throws {
        let server = try TestNameServer { [.sendLater($0.reply(["127.0.0.1"]), .milliseconds(150))] }
        #expect(try await DNSResolver(asking: server).literals(of: "a.test") == ["127.0.0.1:80"])
    }

    /// The failures over TCP.
    enum Stream: CaseIterable {
        case closes, closesInTheMiddle, noLength, silence, trickle, garbage, lengthOfZero
    }

    private static func actions(_ stream: Stream, _ question: DNSQuestion) -> [TestNameServer.Action] {
        let reply = question.reply(["127.0.0.1"])
        let framed = [UInt8(reply.count >> 8), UInt8(truncatingIfNeeded: reply.count)] + reply
        return switch stream {
        case .closes: [.close]
        case .closesInTheMiddle: [.sendRaw(Array(framed[..<20])), .close]
        case .noLength: [.sendRaw(reply)]
        case .silence: []
        case .trickle: [.sendRaw([framed[0]])]
        case .garbage: [.sendRaw(Array(repeating: 0xA5, count: 70_000))]
        case .lengthOfZero: [.sendRaw([0, 0]), .sendRaw([0, 0])]
        }
    }

    @Test("a connection that delivers no answer ends in time", arguments: Stream.allCases)
    func streams(stream: Stream) async throws {
        let server = try TestNameServer { question in
            question.isStream ? Self.actions(stream, question) : [.send(question.reply(isTruncated: true))]
        }
        let resolver = DNSResolver(asking: server, timeout: .milliseconds(150))
        await #expect(throws: ResolveError.self) { try await resolver.resolve("a.test", port: 80) }
        #expect(server.questions.contains { $0.isStream })
    }

    @Test("an answer that arrives byte by byte is assembled")
    func bytes() async throws {
        let server = try TestNameServer { question in
            guard question.isStream else { return [.send(question.reply(isTruncated: true))] }
            let reply = question.reply(["127.0.0.1", "0:0:0:0:0:0:0:1"])
            let framed = [UInt8(reply.count >> 8), UInt8(truncatingIfNeeded: reply.count)] + reply
            return framed.map { .sendRaw([$0]) }
        }
        #expect(try await DNSResolver(asking: server).resolve("a.test", port: 80).count == 2)
    }
}
#endif
