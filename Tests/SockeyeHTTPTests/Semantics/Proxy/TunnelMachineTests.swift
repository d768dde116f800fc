import SockeyeCore
import Testing

@testable import SockeyeHTTP

@Suite("Responses to CONNECT")
struct TunnelMachineTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        var status: Int?
        var body = ""
        var fault: PeerFault?
        var testDescription: String { String(text.prefix(60)) }
    }

    static let rows = [
        Row(text: "HTTP/1.1 200 Connection established\r\n\r\n"),
        Row(text: "HTTP/1.0 204\r\nX: y\r\n\r\n"),
        Row(text: "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n"),
        Row(text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        Row(text: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"),
        Row(text: "HTTP/1.1 407 No\r\nContent-Length: 4\r\n\r\ngo a", status: 407, body: "go a"),
        Row(text: "HTTP/1.1 403 No\r\n\r\n", status: 403),
        Row(text: "HTTP/1.1 302 Found\r\nLocation: http://x/\r\n\r\n", status: 302),
        Row(text: "HTTP/1.1 101 Switching Protocols\r\n\r\n", status: 101),
        Row(text: "SSH-2.0-x\r\n", fault: .badStatusLine),
        Row(text: "HTTP/2.0 200 OK\r\n\r\n", fault: .unsupportedVersion),
        Row(text: String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 500) + "HTTP/1.1 200 OK\r\n\r\n"),
        Row(
            text: String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 700),
            fault: .interimTooLarge(limit: TunnelMachine.limit)),
        Row(
            text: "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 17_000),
            fault: .headTooLarge(limit: TunnelMachine.limit)),
    ]

    @Test("a refusal of any length is read up to the limit")
    func endlessRefusal() throws {
        var machine = TunnelMachine()
        var outcome = try machine.receive(Bytes("HTTP/1.1 403 No\r\nContent-Length: 4611686018427387904\r\n\r\n"))
        if case .some = outcome { Issue.record("the refusal is not complete") }
        let block = [UInt8](repeating: 0x61, count: 1 << 10)
        for _ in 0..<TunnelMachine.limit >> 10 {
            if case .some = outcome { break }
            outcome = try machine.receive(block)
        }
        guard case .refused(_, let body)? = outcome else {
            Issue.record("the machine reads on")
            return
        }
        #expect(body.count == TunnelMachine.limit)
    }

    @Test(
        "a 2xx opens the tunnel whatever its fields are, and any other response is a refusal or a fault",
        arguments: rows)
    func answers(row: Row) {
        for size in [1, 7, 100_000] {
            var machine = TunnelMachine()
            var outcome: TunnelMachine.Outcome?
            var fault: PeerFault?
            var rest = Array(row.text.utf8)[...]
            while outcome == nil, fault == nil, !rest.isEmpty {
                do throws(PeerFault) {
                    outcome = try machine.receive(rest.prefix(size))
                } catch {
                    fault = error
                }
                rest = rest.dropFirst(size)
            }
            #expect(fault == row.fault)
            switch outcome {
            case nil: #expect(row.fault != nil)
            case .open: #expect(row.fault == nil && row.status == nil)
            case .refused(let head, let body):
                #expect(head.status == row.status)
                #expect(String(decoding: body, as: UTF8.self) == row.body)
            }
        }
    }

    @Test("bytes after the head that opens the tunnel are a fault")
    func surplus() {
        var machine = TunnelMachine()
        #expect(throws: PeerFault.surplusBytes(2)) {
            _ = try machine.receive("HTTP/1.1 200 OK\r\n\r\nhi".utf8)
        }
    }

    @Test("a refusal is reported even if its content ends early, and its content is kept up to the limit")
    func incompleteRefusal() throws {
        var machine = TunnelMachine()
        let first = try machine.receive("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 99\r\n\r\nhalf".utf8)
        #expect(first == nil)
        guard case .refused(let head, let body)? = machine.atEnd else { return #expect(Bool(false)) }
        #expect(head.status == 502 && String(decoding: body, as: UTF8.self) == "half")
        let whole = try machine.receive(repeatElement(0x61, count: 20_000))
        guard case .refused(_, let body)? = whole else { return #expect(Bool(false)) }
        #expect(body.count == 99)
    }
}
