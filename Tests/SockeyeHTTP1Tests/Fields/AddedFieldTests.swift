import SockeyeHTTP1
import Testing

@Suite("Fields that are added on the way") struct AddedFieldTests {
    private func added(_ values: String...) throws -> AddedField? {
        var added: AddedField?
        for (position, value) in values.enumerated() {
            added = AddedField(try #require(.cookie(value)), to: added, at: position)
        }
        return added
    }

    @Test("stand behind the caller's, in the order in which they came, and before the client's own")
    func order() throws {
        let head = RequestHead(
            method: "GET", target: .text(target: "/"[...].utf8, authority: "a"[...].utf8), headers: ["X": "1"],
            added: try added("a=b", "c=d"))
        let text = String(
            decoding: try RequestHeadEncoder.encode(head, defaults: DefaultFields([.userAgent: "u"])), as: UTF8.self)
        #expect(
            text == "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\nCookie: a=b\r\nCookie: c=d\r\nUser-Agent: u\r\n\r\n")
    }

    @Test("count in the bound of a head")
    func bound() throws {
        let value = String(repeating: "x", count: 5000)
        let head = RequestHead(
            method: "GET", target: .text(target: "/"[...].utf8, authority: "a"[...].utf8),
            added: try added(value, value))
        #expect(try RequestHeadEncoder.encode(head).count <= RequestHeadEncoder.sizeBound(head))
        #expect(try #require(head.added).byteCount == 2 * (5000 + 10))
    }

    @Test("stand behind the others as headers, too")
    func headers() throws {
        let headers = ([.accept: "text/html"] as Headers).adding(try #require(try added("a=b", "c=d")))
        #expect(headers == [.accept: "text/html", .cookie: "a=b", .cookie: "c=d"])
    }

    @Test("leave the list alone that others hold")
    func sharing() throws {
        let first = try #require(try added("a=b"))
        let second = AddedField(try #require(.authorization("Bearer t")), to: first, at: 1)
        #expect(first.byteCount == "Cookie: a=b\r\n".utf8.count && first.previous == nil)
        #expect(
            second.previous === first && second.byteCount == first.byteCount + "Authorization: Bearer t\r\n".utf8.count)
    }

    @Test("are none that a peer could take for two", arguments: ["a\r\nX: 1", "a\n", "\u{0}", "a\u{7F}"])
    func refused(value: String) {
        #expect(EncodedField.cookie(value) == nil && EncodedField.authorization(value) == nil)
    }

    @Test("show no value when they are printed")
    func secret() throws {
        let field = try #require(EncodedField.authorization("Bearer s3cret"))
        var dumped = ""
        dump(field, to: &dumped)
        #expect("\(field)" == "Authorization" && !dumped.contains("s3cret"))
    }
}
