import SockeyeHTTP
import Testing

@Suite("Content-Disposition of a form") struct FormDispositionTests {
    @Test(
        "the field is written so that no value can break out of its quotes",
        arguments: [
            ("a", nil, #"form-data; name="a""#), ("a", "b.txt", #"form-data; name="a"; filename="b.txt""#),
            ("a\"b", "c\"", #"form-data; name="a%22b"; filename="c%22""#),
            ("a\rb\nc\r\nd", "\r\n", #"form-data; name="a%0D%0Ab%0D%0Ac%0D%0Ad"; filename="%0D%0A""#),
            ("ä★", "💩\\", #"form-data; name="ä★"; filename="💩\""#), ("", "", #"form-data; name=""; filename="""#),
            ("e\u{301}\n", "\n\r", "form-data; name=\"e\u{301}%0D%0A\"; filename=\"%0A%0D\""),
        ] as [(String, String?, String)])
    func writing(name: String, filename: String?, value: String) {
        let disposition = FormDisposition(name: name, filename: filename)
        #expect(disposition.value.unicodeScalars.elementsEqual(value.unicodeScalars))
        let read = FormDisposition(parsing: value)
        #expect(read?.name == LineEnds.normalized(name))
        #expect(read?.filename == filename)
    }

    @Test(
        "the field is read in the forms that browsers and others write",
        arguments: [
            ("form-data", nil, nil), ("FORM-DATA ; NAME = a ; FileName = \"b\"", "a", "b"),
            (#"form-data; name="a\"b"; filename="c""#, "a\"b", "c"),
            (#"form-data; name="a\"; filename="c""#, "a\\", "c"),
            (#"form-data; name="a;b=c"; name="second""#, "a;b=c", nil), ("form-data; name=\"unended", "unended", nil),
            (#"form-data;name="%22%0d%0A%25""#, "\"\r\n%25", nil), (#"form-data; x; name"#, nil, nil),
            (#"form-data; name="C:\dir\file""#, #"C:\dir\file"#, nil), ("form-data; name=", "", nil),
            (#"form-data; "#, nil, nil),
            (#"form-data; name="a" junk; filename=b"#, "a", "b"), (#"form-data; name="%2"; filename="%""#, "%2", "%"),
        ] as [(String, String?, String?)])
    func reading(value: String, name: String?, filename: String?) {
        let read = FormDisposition(parsing: value)
        #expect(read?.name == name)
        #expect(read?.filename == filename)
        #expect(read != nil)
    }

    @Test(
        "a Content-Disposition of another type is not one of a form",
        arguments: ["", "attachment; name=\"a\"", "form-data2; name=a", ";name=a"])
    func otherTypes(value: String) {
        #expect(FormDisposition(parsing: value) == nil)
    }

    @Test("the fields of a part are checked like those of a request")
    func heads() throws {
        let head = PartHead(disposition: FormDisposition(name: "a"), headers: [.contentType: "text/plain", "X-Ä": "1"])
        #expect(throws: RequestFault.invalidFieldName("X-Ä")) { try head.encoded() }
        let broken = PartHead(disposition: nil, headers: ["X": "1\r\nY: 2"])
        #expect(throws: RequestFault.invalidFieldValue("X")) { try broken.encoded() }
        let good = PartHead(disposition: nil, headers: ["X-a": "1", "X-B": ""])
        let lines = try good.encoded()
        #expect(String(decoding: lines, as: UTF8.self) == "X-a: 1\r\nX-B: \r\n")
        let none = try PartHead(disposition: nil).encoded()
        #expect(none.isEmpty)
    }

    @Test(
        "line ends in names are normalised as in HTML forms",
        arguments: [
            ("", ""), ("a", "a"), ("\r", "\r\n"), ("\n", "\r\n"), ("\r\n", "\r\n"), ("\n\r", "\r\n\r\n"),
            ("a\nb\r", "a\r\nb\r\n"),
            ("\r\r\n\n", "\r\n\r\n\r\n"),
        ])
    func lineEnds(text: String, normalized: String) {
        #expect(Array(LineEnds.normalized(text).utf8) == Array(normalized.utf8))
    }

    @Test("the length of a form is exact, and unknown if the length of a part is unknown or the sum overflows")
    func lengths() throws {
        let framing = MultipartFraming(boundary: try #require(MultipartBoundary("b")))
        let length = { (parts: [(head: Int, content: Int?)]) in framing.length(of: parts) }
        #expect(length([(3, 50 << 30)]) == (50 << 30) + 19)
        #expect(length([(3, 1), (4, nil)]) == nil)
        #expect(length([(3, .max)]) == nil)
        #expect(length([(3, -1)]) == nil)
    }
}
