import HTTPTypes
import SockeyeEngine
import SockeyeHTTP
import SockeyeTestSupport
import Testing

/// Responses of a server that knows the protocol and intends harm. Seeded, so that a failure can be repeated.
@Suite("A hostile server", .timeLimit(.minutes(1))) struct HostileResponseTests {
    private func read(
        _ response: HostileResponse, _ pieces: [ArraySlice<UInt8>]
    ) async -> EngineExchange.Outcome {
        var exchange = EngineExchange(method: response.method)
        exchange.expectsContinue = response.expectsContinue
        exchange.upgrades = response.upgrades
        return await exchange.run(pieces)
    }

    @Test(
        "the client reads a response the same however its bytes are cut, and correctly if its meaning is known",
        arguments: 0..<4)
    func cuts(seed: Int) async {
        var random = SplitMix(seed: UInt64(seed))
        for number in 0..<150 {
            let response = HostileResponse(&random)
            let wire = response.wire
            let whole = await read(response, [wire[...]])
            let single = await read(response, wire.indices.map { wire[$0...$0] })
            #expect(single == whole, "\(wire)")
            // Every cut of a few responses, and a few cuts of all others.
            let cuts = number % 50 == 0 ? Array(wire.indices) : (0..<3).map { _ in random.one(of: Array(wire.indices)) }
            for cut in cuts {
                let halves = await read(response, [wire[..<cut], wire[cut...]])
                #expect(halves == whole, "\(wire) cut at \(cut)")
            }
            judge(whole, of: response)
        }
    }

    private func judge(_ outcome: EngineExchange.Outcome, of response: HostileResponse) {
        switch response.meaning {
        case .body(let body):
            // A body without a length ends with the connection, so that end is no error.
            #expect(outcome.error == nil && !outcome.handedOver, "\(response.wire)")
            #expect(outcome.body == body, "\(response.wire)")
            // The request is repeated without its expectation (RFC 9110 10.1.1).
            let isRepeated = response.expectsContinue && outcome.status == 417
            #expect(outcome.connections == (isRepeated ? 2 : 1), "\(response.wire)")
        case .transferCoding:
            #expect(outcome.error == .malformedResponse && outcome.fault == nil, "\(response.wire)")
            #expect(outcome.body.isEmpty && !outcome.isReusable, "\(response.wire)")
        case .protocolSwitch:
            #expect(outcome.handedOver && outcome.status == 101, "\(response.wire)")
        case .unknown: break
        }
        #expect(!outcome.lacksContent, "\(response.wire)")
        guard outcome.isReusable else { return }
        #expect(outcome.error == nil && !outcome.handedOver, "\(response.wire)")
        // A connection on which the request held its body back is not reusable. After a 417 the client has repeated the
        // request with the body on another connection.
        let isRepeated = outcome.status == 417 && outcome.connections == 2
        #expect(!response.expectsContinue || isRepeated, "\(response.wire)")
        #expect(!outcome.fields.contains { $0.name == .connection && $0.value.contains("close") })
    }

    private enum Answer: Equatable {
        case open
        case refused(Int, [UInt8])
        case fault(PeerFault)
        case unfinished
    }

    @Test("a proxy's answer is read the same however its bytes are cut")
    func tunnels() {
        var random = SplitMix(seed: 7)
        for _ in 0..<300 {
            let status = random.one(of: [200, 204, 407, 403, 302, 101, 999])
            let interim = String(
                repeating: "HTTP/1.1 103 X\r\nA: b\r\n c\r\n\r\n", count: random.one(of: [0, 0, 1, 2]))
            let surplus = random.one(of: ["", "", "", "x"])
            let fields = status == 200 && surplus.isEmpty ? "" : "Content-Length: 3\r\n"
            let content = status < 200 || status >= 300 ? "abc" + surplus : surplus
            var wire = Array((interim + "HTTP/1.1 \(status) X\r\n\(fields)\r\n\(content)").utf8)
            if random.one(of: [0, 1, 2, 3]) == 0 {
                wire[Int(random.next() % UInt64(wire.count))] = random.one(of: [0, 10, 32])
            }
            let whole = answer(to: [wire[...]])
            // Bytes after the head that opens the tunnel belong to the tunnel once it is open.
            guard whole != .fault(.surplusBytes(1)) else { continue }
            #expect(answer(to: wire.indices.map { wire[$0...$0] }) == whole, "\(wire)")
            for cut in wire.indices { #expect(answer(to: [wire[..<cut], wire[cut...]]) == whole, "\(wire) at \(cut)") }
        }
    }

    private func answer(to pieces: [ArraySlice<UInt8>]) -> Answer {
        var machine = TunnelMachine()
        for piece in pieces where !piece.isEmpty {
            do throws(PeerFault) {
                switch try machine.receive(piece) {
                case nil: continue
                case .open: return .open
                case .refused(let head, let body): return .refused(head.status, Array(body))
                }
            } catch {
                return .fault(error)
            }
        }
        return .unfinished
    }

    private enum Negotiation: Equatable {
        case open(sent: [[UInt8]], taken: Int)
        case fault(SOCKSFault, sent: [[UInt8]])
        case unfinished(sent: [[UInt8]])
    }

    @Test("a SOCKS proxy's answer is read the same however its bytes are cut, without bytes of the tunnel")
    func socks() {
        var random = SplitMix(seed: 9)
        let bounds: [[UInt8]] = [[1, 1, 2, 3, 4], [3, 2, 97, 98], [3, 0], [4] + Array(1...16), [2, 0]]
        for _ in 0..<1000 {
            let (method, result, code) = (
                random.one(of: [0, 0, 2, 255] as [UInt8]), random.one(of: [0, 0, 1]), random.one(of: [0, 0, 0, 5])
            )
            var wire: [UInt8] = [5, method]
            if method == 2 { wire += [1, UInt8(result)] }
            wire += [5, UInt8(code), 0] + random.one(of: bounds) + [0, 80] + Array("tunnel".utf8)
            if random.one(of: [0, 1, 2]) == 0 {
                wire[random.one(of: [0, 1, 2, 3, 4, 5])] = UInt8(truncatingIfNeeded: random.next())
            }
            let whole = negotiate(wire, size: .max)
            for size in [1, 2, 3] { #expect(negotiate(wire, size: size) == whole, "\(wire)") }
            if case .open(_, let taken) = whole { #expect(wire[taken...].elementsEqual("tunnel".utf8)) }
        }
    }

    private func negotiate(_ wire: [UInt8], size: Int) -> Negotiation {
        var machine = SOCKS5Machine(host: "example.com", port: 80, credentials: ("me", "pw"))
        var sent: [[UInt8]] = []
        var taken = 0
        while taken < wire.count {
            let piece = wire[taken...].prefix(min(size, machine.missingByteCount))
            taken += piece.count
            do throws(SOCKSFault) {
                switch try machine.receive(piece) {
                case .send(let message): sent.append(message)
                case .read: break
                case .open: return .open(sent: sent, taken: taken)
                }
            } catch {
                return .fault(error, sent: sent)
            }
        }
        return .unfinished(sent: sent)
    }
}
