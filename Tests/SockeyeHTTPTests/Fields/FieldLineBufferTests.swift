import SockeyeHTTP
import Testing

@Suite("Fields that policies add to a request") struct FieldLineBufferTests {
    private func added(_ values: String...) throws -> FieldLineBuffer {
        var added = FieldLineBuffer()
        for (position, value) in values.enumerated() {
            added.position = position
            added.append(try #require(.cookie(value)))
        }
        return added
    }

    private func head(_ headers: Headers = [:]) -> RequestHead {
        RequestHead(
            method: "GET", target: .text(target: "/"[...].utf8, authority: "a"[...].utf8), headers: headers)
    }

    /// Returns the request head and the added fields as text. The memory for them has exactly the size that `sizeBound`
    /// and `byteCount` require.
    private func encode(_ headers: Headers = [:], _ added: FieldLineBuffer) throws -> String {
        let head = head(headers)
        let defaults = DefaultFields([.userAgent: "u"])
        let bound = RequestHeadEncoder.sizeBound(head, defaults: defaults) + added.byteCount
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bound, alignment: 1)
        defer { unsafe buffer.deallocate() }
        let written = try unsafe RequestHeadEncoder.encode(head, defaults: defaults, into: buffer)
        let count = try #require(written)
        return unsafe String(
            decoding: buffer[..<RequestHeadEncoder.add(added, toHeadOf: count, in: buffer)], as: UTF8.self)
    }

    @Test("added fields follow all others, in the order in which they were added")
    func order() throws {
        let text = try encode(["X": "1"], try added("a=b", "c=d", "e=f"))
        let fields = "X: 1\r\nUser-Agent: u\r\nCookie: a=b\r\nCookie: c=d\r\nCookie: e=f\r\n"
        #expect(text == "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
    }

    @Test("the buffer counts exactly the bytes that its fields take", arguments: 0...4)
    func bound(count: Int) throws {
        var added = FieldLineBuffer()
        let field = try #require(EncodedField.cookie(String(repeating: "x", count: 5000)))
        for _ in 0..<count { added.append(field) }
        #expect(added.byteCount == count * (5000 + 10))
        #expect(try encode([:], added).utf8.count == encode([:], FieldLineBuffer()).utf8.count + added.byteCount)
    }

    @Test(
        "the buffer returns the fields that were added up to a position",
        arguments: [(-1, []), (0, ["a=b"]), (1, ["a=b", "c=d"])])
    func positions(position: Int, values: [String]) throws {
        let added = try added("a=b", "c=d", "e=f")
        #expect(added.headers(upTo: position).map(\.value) == values)
        #expect(added.headers().count == 3 && !added.isEmpty && FieldLineBuffer().isEmpty)
    }

    @Test(
        "fields are read back unchanged from inline storage and from the heap",
        arguments: [1, 10, 80, 100, 120, 150, 200, 1000])
    func sizes(length: Int) throws {
        var added = FieldLineBuffer()
        let values = (0..<5).map { String(repeating: "\($0)", count: length) }
        for (position, value) in values.enumerated() {
            added.position = position
            let noted = position == 3 ? EncodedField.authorization(value)?.tagged(7) : .cookie(value)
            added.append(try #require(noted))
            #expect(added.headers().map(\.value) == Array(values[...position]))
            #expect(added.headers(upTo: 0).map(\.value) == [values[0]])
        }
        var headers: Headers = ["X": "1"]
        #expect(added.copy(upTo: 2, to: &headers) == nil && added.copy(to: &headers) == 7)
        #expect(headers.count == 9 && headers[.authorization] == values[3])
        let lines = values.enumerated().map { "\($0 == 3 ? "Authorization" : "Cookie"): \($1)\r\n" }.joined()
        #expect(try encode([:], added).hasSuffix("User-Agent: u\r\n\(lines)\r\n"))
    }

    @Test("two copies of a buffer do not share later additions", arguments: [1, 500])
    func copies(length: Int) throws {
        let (one, two) = (String(repeating: "x", count: length), String(repeating: "y", count: length))
        let first = try added(one)
        var (left, right) = (first, first)
        left.append(try #require(.cookie(two)))
        right.append(try #require(.cookie(one)))
        #expect(first.headers().map(\.value) == [one])
        #expect(left.headers().map(\.value) == [one, two])
        #expect(right.headers().map(\.value) == [one, one])
    }

    @Test("a value with control characters makes no field", arguments: ["a\r\nX: 1", "a\n", "\u{0}", "a\u{7F}"])
    func refused(value: String) {
        #expect(EncodedField.cookie(value) == nil && EncodedField.authorization(value) == nil)
    }

    @Test("a printed or dumped field does not show its value")
    func secret() throws {
        let field = try #require(EncodedField.authorization("Bearer s3cret"))
        var dumped = ""
        dump(field, to: &dumped)
        #expect("\(field)" == "Authorization" && !dumped.contains("s3cret"))
    }
}

extension FieldLineBuffer {
    fileprivate func headers(upTo position: Int = .max) -> Headers {
        var headers = Headers()
        copy(upTo: position, to: &headers)
        return headers
    }
}
