import SockeyeHTTP
import SockeyeTestSupport
import Testing

/// The events of an exchange in random order, including orders that no real server or client produces.
@Suite("An exchange with events in random order") struct ExchangeSequenceTests {
    private enum Event: CaseIterable {
        case head, body, surplus, end, failure, uploaded, uploadFailed, uploadStopped, timer
    }

    private static let heads: [ResponseHeadSummary] = [
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", "HTTP/1.1 204 X\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 304 X\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.1 413 X\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 417 X\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 500 X\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n", "HTTP/1.1 100 X\r\n\r\n",
        "HTTP/1.1 103 X\r\nConnection: close\r\n\r\n", "HTTP/1.0 200 X\r\nContent-Length: 1\r\n\r\n",
        "HTTP/1.0 200 X\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\n",
        "HTTP/1.0 200 X\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
    ].compactMap { try? parseHead($0)?.summary }

    /// The state that an observer without knowledge of framing can see.
    private struct Seen {
        var uploaded = false
        var uploadEnded = false
        var releases = 0
        var final: ResponseHeadSummary?
        var isBodyOver = false
        var isOver = false
        var hasSurplus = false
        var hasEnded = false
        var handedOver = false
    }

    @Test("a connection is reused only if request and response are complete, and a held body is released at most once")
    func sequences() {
        var random = SplitMix(seed: 14)
        for _ in 0..<2000 {
            let facts = ExchangeFacts(
                method: random.one(of: [.get, .post, .head, .connect]), hasBody: random.one(of: [true, false]),
                expectsContinue: random.one(of: [true, false]), requestsUpgrade: random.one(of: [true, false, false]),
                closesConnection: random.one(of: [true, false, false]))
            var machine = ExchangeMachine(facts)
            var seen = Seen()
            for _ in 0..<8 {
                step(
                    random.one(of: Event.allCases + [.head, .head, .uploaded, .body]), facts, &machine, &seen, &random)
                check(machine, facts, seen)
            }
        }
    }

    private func step(
        _ event: Event, _ facts: ExchangeFacts, _ machine: inout ExchangeMachine, _ seen: inout Seen,
        _ random: inout SplitMix
    ) {
        switch event {
        case .head: receive(random.one(of: Self.heads), facts, &machine, &seen)
        case .body, .surplus:
            if seen.final != nil, !machine.isResponseOver {
                seen.isBodyOver = true
                seen.hasSurplus = event == .surplus
            }
            machine.responseBodyFinished(surplusBytes: event == .surplus ? 1 : 0)
        case .end:
            seen.hasEnded = true
            try? machine.endOfStream()
        case .failure: machine.failed()
        case .uploaded:
            // A body that is held back cannot have been written.
            if !seen.uploadEnded, !machine.holdsBody { (seen.uploaded, seen.uploadEnded) = (true, true) }
            machine.uploadFinished()
        case .uploadFailed, .uploadStopped:
            seen.uploadEnded = true
            if event == .uploadFailed { machine.uploadFailed() } else { machine.uploadStopped() }
        case .timer: if machine.expectationTimerFired() { seen.releases += 1 }
        }
    }

    private func receive(
        _ head: ResponseHeadSummary, _ facts: ExchangeFacts, _ machine: inout ExchangeMachine, _ seen: inout Seen
    ) {
        switch try? machine.receivedHead(head) {
        case nil: #expect(machine.verdict == .close(.failed))
        case .interim, .keepReading: #expect(seen.final == nil)
        case .sendBody: seen.releases += 1
        case .awaitUpload:
            #expect(facts.requestsUpgrade || facts.method == .connect)
            #expect(!seen.uploadEnded && !machine.holdsBody)
        case .switchProtocols:
            #expect(facts.requestsUpgrade && seen.uploaded)
            seen.handedOver = true
        case .tunnel:
            #expect(seen.uploadEnded || machine.holdsBody)
            seen.handedOver = true
        case .final(_, let stops):
            seen.final = head
            if stops { seen.uploadEnded = true }
        case .expectationFailed:
            seen.final = head
            seen.uploadEnded = true
            #expect(facts.expectsContinue && machine.hasSentBody == (seen.releases > 0))
        }
    }

    private func check(_ machine: ExchangeMachine, _ facts: ExchangeFacts, _ seen: Seen) {
        #expect(seen.releases <= 1)
        #expect(!machine.holdsBody || !machine.hasSentBody)
        guard case .reuse = machine.verdict else { return }
        #expect(seen.uploaded && seen.isBodyOver && !seen.hasSurplus && !seen.hasEnded && !seen.handedOver)
        #expect(!facts.closesConnection)
        guard let head = seen.final else { return #expect(Bool(false), "reused without an answer") }
        #expect(!head.connection.contains(.close))
        #expect(head.minorVersion > 0 || head.connection.contains(.keepAlive))
        #expect(head.transferEncoding == .absent || head.contentLength == nil)
    }
}
