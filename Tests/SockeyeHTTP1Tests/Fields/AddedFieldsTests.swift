import SockeyeHTTP1
import Testing

@Suite("Fields that are added on the way") struct AddedFieldsTests {
    private func added(_ values: String...) throws -> AddedFields {
        var added = AddedFields()
        for (position, value) in values.enumerated() { added.append(try #require(.cookie(value)), at: position) }
        return added
    }

    private func head(_ headers: Headers = [:]) -> RequestHead {
        RequestHead(
            method: "GET", target: .text(target: "/"[...].utf8, authority: "a"[...].utf8), headers: headers)
    }

    @Test("stand behind the caller's, in the order in which they came, and before the client's own")
    func order() throws {
        let bytes = try RequestHeadEncoder.encode(
            head(["X": "1"]), adding: try added("a=b", "c=d", "e=f"), defaults: DefaultFields([.userAgent: "u"]))
        let fields = "X: 1\r\nCookie: a=b\r\nCookie: c=d\r\nCookie: e=f\r\nUser-Agent: u\r\n"
        #expect(String(decoding: bytes, as: UTF8.self) == "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
    }

    @Test("count in the bound of a head", arguments: 0...4)
    func bound(count: Int) throws {
        var added = AddedFields()
        let field = try #require(EncodedField.cookie(String(repeating: "x", count: 5000)))
        for position in 0..<count { added.append(field, at: position) }
        let bytes = try RequestHeadEncoder.encode(head(), adding: added)
        #expect(bytes.count > added.byteCount && bytes.count <= RequestHeadEncoder.sizeBound(head(), adding: added))
        #expect(added.byteCount == count * (5000 + 10))
    }

    @Test("are known by how far the request was", arguments: [(-1, []), (0, ["a=b"]), (1, ["a=b", "c=d"])])
    func positions(position: Int, values: [String]) throws {
        let added = try added("a=b", "c=d", "e=f")
        #expect(added.fields(upTo: position).map(\.value) == values)
        #expect(added.fields(upTo: .max).count == 3 && !added.isEmpty && AddedFields().isEmpty)
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
