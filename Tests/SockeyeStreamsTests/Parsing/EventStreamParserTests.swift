import Foundation
import SockeyeCore
import SockeyeHTTP
import SockeyeStreams
import SockeyeTestSupport
import Testing

@Suite("The parser of event streams") struct EventStreamParserTests {
    private func parse(
        _ text: String, limits: ServerSentEvent.Limits = ServerSentEvent.Limits()
    ) -> (whole: Splitting<ServerSentEvent>, isSame: Bool) {
        Splitting.everyWay(Array(text.utf8)) { .events($0, limits: limits) }
    }

    @Test(
        "the parser reads the events of each case, wherever the stream is cut", arguments: EventStreamVector.all)
    func vectors(_ vector: EventStreamVector) {
        let (whole, isSame) = Splitting.everyWay(vector.content) { .events($0) }
        #expect(whole.elements.map { [$0.name, $0.data, $0.id] } == vector.events)
        #expect(isSame)
        var parser = EventStreamParser()
        parser.append(Bytes(vector.content))
        while (try? parser.next()) != nil {}
        #expect(parser.retry == vector.retryMs.map { .milliseconds($0) })
    }

    @Test(
        "the parser splits fields as the standard says, wherever the stream is cut",
        arguments: [
            ("data: a\n\n", ["a"]), ("data:a\n\n", ["a"]), ("data:  a\n\n", [" a"]), ("data: a: b\n\n", ["a: b"]),
            ("data\n\n", [""]), ("data:\n\n", [""]), ("data: \n\n", [""]), ("data\ndata\n\n", ["\n"]),
            ("data: a\ndata: b\n\ndata: c\n\n", ["a\nb", "c"]), ("DATA: a\n\n", []), (" data: a\n\n", []),
            ("data : a\n\n", []), ("datax: a\n\ndat: b\n\n", []), (": data: a\n\n", []), (":\n:\n\ndata: a\n\n", ["a"]),
            ("\n\n\n", []), ("event: x\nid: 1\n\n", []), ("data: a\n", []), ("data: a", []),
            ("data: a\n\ndata: b\n", ["a"]),
            ("data: a\r\rdata: b\r\n\r\ndata: c\n\n", ["a", "b", "c"]),
            ("data: a\r\ndata: b\rdata: c\n\r", ["a\nb\nc"]),
            ("data: a\n\r\ndata: b\r\r\n", ["a", "b"]), ("data: ä€😀\n\n", ["ä€😀"]),
            ("data: a\u{2028}b\u{85}\n\n", ["a\u{2028}b\u{85}"]),
            ("data: a\0b\n\n", ["a\0b"]), ("\u{FEFF}data: a\n\n", ["a"]), ("\u{FEFF}\u{FEFF}data: a\n\n", []),
            ("data: a\n\n\u{FEFF}data: b\n\n", ["a"]), ("\u{FEFF}\n\ndata: a\n\n", ["a"]),
            ("data: \u{FEFF}\n\n", ["\u{FEFF}"]),
        ])
    func data(text: String, data: [String]) {
        let (whole, isSame) = parse(text)
        #expect(whole.elements.map { $0.data } == data)
        #expect(whole.fault == nil)
        #expect(isSame)
    }

    @Test(
        "the parser replaces invalid UTF-8, and an incomplete byte order mark is content",
        arguments: [
            ([0x64, 0x61, 0x74, 0x61, 0x3A, 0xFF, 0xC3, 0x0A, 0x0A], ["\u{FFFD}\u{FFFD}"]),
            ([0xEF, 0xBB, 0x64, 0x61, 0x74, 0x61, 0x3A, 0x61, 0x0A, 0x0A], []),
            ([0xEF, 0x0A, 0x64, 0x61, 0x74, 0x61, 0x0A, 0x0A], [""]), ([0xEF, 0xBB], []),
        ] as [([UInt8], [String])])
    func repaired(content: [UInt8], data: [String]) {
        let (whole, isSame) = Splitting.everyWay(content) { .events($0) }
        #expect(whole.elements.map { $0.data } == data)
        #expect(isSame)
    }

    @Test(
        "an ID persists from event to event, but an ID with NUL or of an incomplete event is ignored",
        arguments: [
            ("id: 1\ndata: a\n\ndata: b\n\n", ["1", "1"], "1"), ("id: 1\ndata: a\n\nid\ndata: b\n\n", ["1", ""], ""),
            ("id: 1\ndata: a\n\nid: 2\n\n", ["1"], "2"), ("id: 1\ndata: a\n\nid: 2\ndata: b\n", ["1"], "1"),
            ("id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n", ["1", "1"], "1"), ("id:  1 \ndata: a\n\n", [" 1 "], " 1 "),
            ("id: 1\nid: 2\ndata: a\n\n", ["2"], "2"), ("id: ä\u{1}\ndata: a\n\n", ["ä\u{1}"], "ä\u{1}"),
        ])
    func ids(text: String, ids: [String], last: String) {
        let (whole, isSame) = parse(text)
        #expect(whole.elements.map { $0.id } == ids)
        #expect(isSame)
        var parser = EventStreamParser()
        parser.append(Bytes(text))
        while (try? parser.next()) != nil {}
        #expect(parser.lastEventID == last)
    }

    @Test("the parser continues with the ID of the previous stream")
    func continued() throws {
        var parser = EventStreamParser(lastEventID: "7")
        parser.append(Bytes("data: a\n\nid: 8\ndata: b\n\n"))
        #expect(try parser.next()?.id == "7")
        #expect(try parser.next()?.id == "8")
    }

    @Test(
        "the parser accepts a reconnection time at the end of its line if it has only digits, and caps a large one",
        arguments: [
            ("retry: 10\n", .milliseconds(10)), ("retry:0\n", .zero), ("retry: 007\n", .milliseconds(7)),
            ("retry\n", nil),
            ("retry:\n", nil), ("retry: -1\n", nil), ("retry: 1.5\n", nil), ("retry: 1 \n", nil),
            ("retry: 0x10\n", nil),
            ("retry: ١\n", nil), ("retry: 10", nil), ("retry: 10\nretry: x\n", .milliseconds(10)),
            ("retry: 99999999999999999999999999\n", .milliseconds(1_000_000_000_000_000)),
        ] as [(String, Duration?)])
    func retry(text: String, retry: Duration?) throws {
        var parser = EventStreamParser()
        parser.append(Bytes(text))
        #expect(try parser.next() == nil)
        #expect(parser.retry == retry)
    }

    @Test("the type and the reconnection time of an event do not apply to the next event")
    func types() {
        let (whole, isSame) = parse("event: x\nretry: 5\ndata: a\n\ndata: b\n\nevent: y\n\nevent:\ndata: c\n\n")
        #expect(
            whole.elements == [
                ServerSentEvent(name: "x", data: "a", retry: .milliseconds(5)), ServerSentEvent(data: "b"),
                ServerSentEvent(data: "c"),
            ])
        #expect(isSame)
    }

    @Test(
        "the parser keeps exactly to its limits, wherever the stream is cut",
        arguments: [
            ("data:45678\n\n", nil), ("data:456789\n\n", .lineTooLong(limit: 10)), (":123456789", nil),
            (":1234567890", .lineTooLong(limit: 10)), ("x123456789\n", nil), ("data:4567\rdata:4567\r\r", nil),
            ("data:45678\ndata:45678\n\n", .eventTooLarge(limit: 20)),
            ("x\nx\nx\nx\nx\nx\nx\nx\nx\nx\nx\n", .eventTooLarge(limit: 20)),
            ("id:1234\n\n", nil), ("id:12345\n\n", .eventIDTooLong(limit: 4)),
        ] as [(String, StreamFault?)])
    func limits(text: String, fault: StreamFault?) {
        let (whole, isSame) = parse(text, limits: ServerSentEvent.Limits(lineBytes: 10, eventBytes: 20, idBytes: 4))
        #expect(whole.fault == fault)
        #expect(isSame)
    }

    @Test("any number of comments and empty lines does not reach the limit of an event")
    func endlessComments() throws {
        var parser = EventStreamParser(limits: ServerSentEvent.Limits(lineBytes: 10, eventBytes: 20, idBytes: 4))
        for _ in 0..<100_000 {
            parser.append(Bytes(": alive\n\n:\r"))
            #expect(try parser.next() == nil)
        }
        parser.append(Bytes("data:a\n\n"))
        #expect(try parser.next()?.data == "a")
    }

    @Test("the description of an event has at most 40 code points of its name")
    func description() {
        let event = ServerSentEvent(name: "a" + String(repeating: "\u{301}", count: 1_000_000), data: "secret")
        #expect(event.description.utf8.count < 100 && event.description.hasSuffix(" of 6 bytes"))
        #expect(ServerSentEvent(data: "").description == "message of 0 bytes")
    }
}

/// One case of `event-streams.json` or of the public data.
struct EventStreamVector: Sendable, Decodable, CustomTestStringConvertible {
    struct Content: Sendable, Decodable {
        let text: String?
        let b64: String?
    }

    let id: String
    let stream: Content
    let events: [[String]]
    let retryMs: Int?

    var testDescription: String { id }
    var content: [UInt8] {
        stream.text.map { Array($0.utf8) } ?? Array(Data(base64Encoded: stream.b64 ?? "") ?? Data())
    }

    static let all = Vectors.load(
        own: "event-streams.json", public: ["event-stream/wpt.json", "event-stream-more/streams.json"], as: Self.self)
}
