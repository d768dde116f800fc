import SockeyeHTTP
import Testing

@Suite struct ExchangeMachineTests {
    private func machine(
        _ method: MethodKind = .get,
        hasBody: Bool = false,
        expects: Bool = false,
        upgrades: Bool = false,
        closes: Bool = false,
        limits: HTTP1Limits = HTTP1Limits()
    ) -> ExchangeMachine {
        ExchangeMachine(
            ExchangeFacts(
                method: method, hasBody: hasBody, expectsContinue: expects, requestsUpgrade: upgrades,
                closesConnection: closes, limits: limits
            )
        )
    }

    private func response(_ status: Int, _ lines: String..., version: Int = 1) throws -> ResponseHeadSummary {
        let text = "HTTP/1.\(version) \(status) X\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"
        return try #require(try parseHead(text)).summary
    }

    // MARK: Verdicts

    @Test("the connection is reused after a complete exchange")
    func reuse() throws {
        var machine = machine()
        machine.uploadFinished()
        let head = try response(200, "Content-Length: 5", "Keep-Alive: timeout=5, max=9")
        #expect(try machine.receivedHead(head) == .final(.length(5), stopsUpload: false))
        #expect(machine.verdict == .close(.responseUnfinished))
        #expect(!machine.isResponseOver)
        machine.responseBodyFinished()
        #expect(machine.isResponseOver)
        #expect(machine.verdict == .reuse(keepAliveTimeout: 5, max: 9))
    }

    /// RFC 9112 6.1 and 9.3.
    @Test(
        "version, Connection, framing and surplus bytes decide if and why the connection is closed",
        arguments: [
            (1, ["Content-Length: 0", "Connection: close"], false, 0, ConnectionVerdict.close(.announced)),
            (1, ["Content-Length: 0", "Connection: keep-alive, close"], false, 0, .close(.announced)),
            (1, ["Content-Length: 0"], true, 0, .close(.requested)),
            (0, ["Content-Length: 0"], false, 0, .close(.notPersistent)),
            (0, ["Content-Length: 0", "Connection: Keep-Alive"], false, 0, .reuse(keepAliveTimeout: nil, max: nil)),
            (0, ["Content-Length: 0", "Connection: keep-alive", "Connection: close"], false, 0, .close(.announced)),
            (1, ["Content-Length: 0"], false, 3, .close(.surplus(3))),
            (1, ["Content-Length: 5", "Transfer-Encoding: chunked"], false, 0, .close(.ambiguousLength)),
            (1, ["Transfer-Encoding: chunked"], false, 0, .reuse(keepAliveTimeout: nil, max: nil)),
        ])
    func verdicts(version: Int, lines: [String], closes: Bool, surplus: Int, verdict: ConnectionVerdict) throws {
        var machine = machine(closes: closes)
        machine.uploadFinished()
        let text = "HTTP/1.\(version) 200 OK\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"
        _ = try machine.receivedHead(try #require(try parseHead(text)).summary)
        machine.responseBodyFinished(surplusBytes: surplus)
        #expect(machine.verdict == verdict)
    }

    @Test("the connection is closed if its end delimits the body or comes inside the head")
    func endOfStream() throws {
        var machine = machine()
        machine.uploadFinished()
        #expect(try machine.receivedHead(response(200)) == .final(.untilClose, stopsUpload: false))
        try machine.endOfStream()
        machine.responseBodyFinished()
        #expect(machine.verdict == .close(.closedByPeer))

        var early = self.machine()
        #expect(throws: PeerFault.truncatedHead(received: 3)) {
            try early.endOfStream(orFault: .truncatedHead(received: 3))
        }
        #expect(early.verdict == .close(.failed))
        #expect(early.isResponseOver)
    }

    @Test("the connection is closed if an exchange is abandoned")
    func failure() throws {
        var machine = machine()
        machine.uploadFinished()
        _ = try machine.receivedHead(response(200, "Content-Length: 5"))
        machine.failed()
        machine.responseBodyFinished()
        #expect(machine.verdict == .close(.failed))
    }

    @Test("a second final response is a fault")
    func secondHead() throws {
        var machine = machine()
        machine.uploadFinished()
        _ = try machine.receivedHead(response(200, "Content-Length: 0"))
        machine.responseBodyFinished()
        let second = try response(200)
        #expect(throws: PeerFault.surplusBytes(second.byteCount)) { try machine.receivedHead(second) }
        #expect(machine.verdict == .close(.failed))
    }

    // MARK: Interim responses

    /// RFC 9110 7.8 and 15.2.
    @Test("interim responses are reported except an unexpected 100, and their total size is limited")
    func interim() throws {
        let heads = try [response(103, "Link: </a>"), response(100), response(199, "Content-Length: 9")]
        var limits = HTTP1Limits()
        limits.interimBytes = heads.reduce(0) { $0 + $1.byteCount }
        var machine = machine(limits: limits)
        machine.uploadFinished()
        #expect(try machine.receivedHead(heads[0]) == .interim(status: 103))
        #expect(try machine.receivedHead(heads[1]) == .keepReading)
        #expect(try machine.receivedHead(heads[2]) == .interim(status: 199))
        let next = try response(102)
        #expect(throws: PeerFault.interimTooLarge(limit: limits.interimBytes)) { try machine.receivedHead(next) }
        #expect(machine.verdict == .close(.failed))
    }

    @Test("any number of interim responses is accepted")
    func manyInterim() throws {
        var machine = machine()
        machine.uploadFinished()
        let progress = try response(102)
        for _ in 0..<1000 { #expect(try machine.receivedHead(progress) == .interim(status: 102)) }
        #expect(try machine.receivedHead(response(204)) == .final(.none, stopsUpload: false))
    }

    @Test("the fields of an interim response have no effect on the connection")
    func interimFields() throws {
        var machine = machine()
        machine.uploadFinished()
        #expect(try machine.receivedHead(response(103, "Connection: close")) == .interim(status: 103))
        #expect(try machine.receivedHead(response(204)) == .final(.none, stopsUpload: false))
        machine.responseBodyFinished()
        #expect(machine.verdict == .reuse(keepAliveTimeout: nil, max: nil))
    }

    // MARK: Expectation

    /// RFC 9110 10.1.1.
    @Test("the body of a request with an expectation is held back until 100 arrives")
    func expectation() throws {
        var machine = machine(.post, hasBody: true, expects: true)
        #expect(machine.holdsBody)
        #expect(!machine.hasSentBody)
        machine.uploadFinished()
        #expect(machine.holdsBody, "a written head without the body is not a complete request")
        #expect(try machine.receivedHead(response(102)) == .interim(status: 102))
        #expect(try machine.receivedHead(response(100)) == .sendBody)
        #expect(machine.hasSentBody)
        #expect(machine.expectationTimerFired() == false)
        #expect(try machine.receivedHead(response(100)) == .keepReading)
        machine.uploadFinished()
        _ = try machine.receivedHead(response(200, "Content-Length: 0"))
        machine.responseBodyFinished()
        #expect(machine.verdict == .reuse(keepAliveTimeout: nil, max: nil))
    }

    @Test("the timer of the expectation releases a held body once")
    func expectationTimer() throws {
        var machine = machine(.post, hasBody: true, expects: true)
        #expect(machine.expectationTimerFired() == true)
        #expect(!machine.holdsBody)
        #expect(machine.expectationTimerFired() == false)
        #expect(try machine.receivedHead(response(100)) == .keepReading)
    }

    @Test(
        "if the final response comes before 100, the held body is not sent and the connection is closed",
        arguments: [200, 401, 500])
    func answerBeforeBody(status: Int) throws {
        var machine = machine(.post, hasBody: true, expects: true)
        #expect(
            try machine.receivedHead(response(status, "Content-Length: 0")) == .final(.length(0), stopsUpload: true))
        #expect(machine.expectationTimerFired() == false)
        #expect(!machine.hasSentBody)
        machine.responseBodyFinished()
        #expect(machine.verdict == .close(.requestUnfinished))
    }

    @Test("a 417 counts as a failed expectation only if the request had an expectation")
    func expectationFailed() throws {
        var held = machine(.post, hasBody: true, expects: true)
        #expect(try held.receivedHead(response(417, "Content-Length: 0")) == .expectationFailed(.length(0)))
        #expect(!held.hasSentBody)
        held.responseBodyFinished()
        #expect(held.verdict == .close(.requestUnfinished))

        var started = machine(.post, hasBody: true, expects: true)
        _ = started.expectationTimerFired()
        #expect(try started.receivedHead(response(417, "Content-Length: 0")) == .expectationFailed(.length(0)))
        #expect(started.hasSentBody)

        var plain = machine(.post, hasBody: true)
        #expect(try plain.receivedHead(response(417, "Content-Length: 0")) == .final(.length(0), stopsUpload: true))
    }

    @Test("a request without a body expects no 100")
    func expectationWithoutBody() {
        #expect(!machine(.post, hasBody: false, expects: true).holdsBody)
    }

    // MARK: Upload

    /// RFC 9112 9.3 and 9.5.
    @Test(
        "a final response during the upload stops the upload only if its status is 300 or more",
        arguments: [
            (200, false), (299, false), (300, true), (307, true), (401, true), (413, true), (500, true), (999, true),
        ])
    func earlyAnswer(status: Int, stops: Bool) throws {
        var machine = machine(.post, hasBody: true)
        #expect(
            try machine.receivedHead(response(status, "Content-Length: 0")) == .final(.length(0), stopsUpload: stops))
        machine.responseBodyFinished()
        #expect(machine.verdict == (stops ? .close(.requestUnfinished) : .awaitUpload))
        machine.uploadFinished()
        #expect(machine.verdict == (stops ? .close(.requestUnfinished) : .reuse(keepAliveTimeout: nil, max: nil)))
    }

    @Test("a response stops neither a complete upload nor a request without a body")
    func nothingToStop() throws {
        var complete = machine(.post, hasBody: true)
        complete.uploadFinished()
        #expect(try complete.receivedHead(response(500, "Content-Length: 0")) == .final(.length(0), stopsUpload: false))
        var bodiless = machine()
        #expect(try bodiless.receivedHead(response(500, "Content-Length: 0")) == .final(.length(0), stopsUpload: false))
    }

    /// RFC 9112 9.3 and 9.5.
    @Test("after a failed write the response is still read, then the connection is closed")
    func writeFailed() throws {
        var machine = machine(.post, hasBody: true)
        machine.uploadFailed()
        machine.uploadFinished()
        #expect(!machine.isResponseOver)
        #expect(try machine.receivedHead(response(413, "Content-Length: 2")) == .final(.length(2), stopsUpload: false))
        machine.responseBodyFinished()
        #expect(machine.verdict == .close(.requestUnfinished))
    }

    /// RFC 9110 8.6.
    @Test("the connection is closed if the source of the body fails")
    func sourceFailed() throws {
        var machine = machine(.post, hasBody: true)
        _ = try machine.receivedHead(response(200, "Content-Length: 0"))
        machine.responseBodyFinished()
        #expect(machine.verdict == .awaitUpload)
        machine.uploadStopped()
        #expect(machine.verdict == .close(.requestUnfinished))
    }

    // MARK: Other protocols

    /// RFC 9110 7.8 and 15.2.
    @Test("a 101 switches protocols only if the request offered it and the 101 has `Connection: upgrade`")
    func upgrade() throws {
        let switching = try response(101, "Connection: Upgrade", "Upgrade: websocket")
        var asked = machine(upgrades: true)
        asked.uploadFinished()
        #expect(try asked.receivedHead(switching) == .switchProtocols)
        #expect(asked.verdict == .close(.handedOver))

        var unasked = machine()
        unasked.uploadFinished()
        #expect(throws: PeerFault.unexpectedUpgrade) { try unasked.receivedHead(switching) }
        var mute = machine(upgrades: true)
        mute.uploadFinished()
        let bare = try response(101)
        #expect(throws: PeerFault.upgradeWithoutConnection) { try mute.receivedHead(bare) }
        #expect(mute.verdict == .close(.failed))
    }

    /// RFC 9110 7.8.
    @Test("a 101 that is read during the upload takes effect after the end of the upload")
    func earlyUpgrade() throws {
        let switching = try response(101, "Connection: Upgrade", "Upgrade: websocket")
        let machine = machine(.post, hasBody: true, upgrades: true)
        var finished = machine
        #expect(try finished.receivedHead(switching) == .awaitUpload)
        #expect(try finished.receivedHead(switching) == .awaitUpload)
        #expect(!finished.isResponseOver)
        finished.uploadFinished()
        #expect(try finished.receivedHead(switching) == .switchProtocols)
        #expect(finished.verdict == .close(.handedOver))

        var stopped = machine
        #expect(try stopped.receivedHead(switching) == .awaitUpload)
        stopped.uploadFailed()
        #expect(throws: PeerFault.unexpectedUpgrade) { try stopped.receivedHead(switching) }
        #expect(stopped.verdict == .close(.failed))

        var held = self.machine(.post, hasBody: true, expects: true, upgrades: true)
        #expect(throws: PeerFault.unexpectedUpgrade) { try held.receivedHead(switching) }
    }

    @Test("a refusal to upgrade is delivered like any response")
    func refusedUpgrade() throws {
        var machine = machine(upgrades: true)
        machine.uploadFinished()
        #expect(try machine.receivedHead(response(200, "Content-Length: 1")) == .final(.length(1), stopsUpload: false))
    }

    @Test("2xx to CONNECT opens a tunnel, and any other response has a body")
    func connect() throws {
        var open = machine(.connect)
        open.uploadFinished()
        #expect(try open.receivedHead(response(200, "Content-Length: 5")) == .tunnel)
        #expect(open.verdict == .close(.handedOver))
        var refused = machine(.connect)
        refused.uploadFinished()
        #expect(try refused.receivedHead(response(407, "Content-Length: 5")) == .final(.length(5), stopsUpload: false))
    }

    @Test("a 2xx to CONNECT that is read while the request is written takes effect after the request")
    func earlyTunnel() throws {
        let opening = try response(200)
        var machine = machine(.connect)
        #expect(try machine.receivedHead(opening) == .awaitUpload)
        #expect(!machine.isResponseOver)
        machine.uploadFinished()
        #expect(try machine.receivedHead(opening) == .tunnel)
        #expect(machine.verdict == .close(.handedOver))
    }

    @Test("framing that RFC 9112 does not allow is refused")
    func badFraming() throws {
        var machine = machine()
        machine.uploadFinished()
        let head = try response(200, "Transfer-Encoding: chunked", version: 0)
        #expect(throws: PeerFault.transferEncodingInHTTP10) { try machine.receivedHead(head) }
        #expect(machine.verdict == .close(.failed))
    }

    @Test("`ExchangeFacts` takes method, body, expectation, upgrade and close from the request head")
    func facts() {
        var head = RequestHead(
            method: "POST", target: .text(target: "/"[...].utf8, authority: "a"[...].utf8), body: .chunked)
        head.expectsContinue = true
        #expect(ExchangeFacts(head) == ExchangeFacts(method: .post, hasBody: true, expectsContinue: true))
        head.body = .none
        head.upgrade = "x"
        head.closesConnection = true
        #expect(ExchangeFacts(head) == ExchangeFacts(method: .post, requestsUpgrade: true, closesConnection: true))
    }
}
