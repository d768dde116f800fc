import Foundation
import SockeyePlatform
import SockeyeStreams
import SockeyeTestSupport
import SockeyeTransfers
import Testing

@testable import Sockeye
@testable import SockeyeEngine

@Suite("Multipart forms", .timeLimit(.minutes(1)))
struct MultipartFormTests {
    /// Returns the text of a form with the boundary `b`, and checks its declared length.
    private func text(
        _ subtype: MultipartForm.Subtype = .formData, _ build: (inout MultipartForm) throws -> Void
    ) async throws -> String {
        var form = try MultipartForm(subtype, boundary: "b")
        try build(&form)
        let body = try form.body()
        let sink = try await CollectingSink.collect(body)
        if let length = body.length { #expect(await sink.bytes.count == length) }
        return await sink.text.replacingOccurrences(of: "\r\n", with: "\n")
    }

    @Test("a form consists of its parts in order, each with its fields")
    func parts() async throws {
        let file = try ScratchFile("coast.JPG", "jpeg".utf8)
        let text = try await text { form in
            form.field("title", "Coast")
            form.field("count", 3)
            form.data("raw", [0x61, 0x62], filename: "a.raw")
            form.data("plain", Data("x".utf8))
            try form.file("photo", at: file.path)
            try form.file(file.url, name: "again", filename: "b", contentType: "x/y")
            form.stream("s", Elements([Array("on".utf8), Array("e".utf8)]), length: 3)
            form.part("p", .none, headers: ["X-Own": "1"])
        }
        #expect(text == Self.everyKind)
    }

    private static let everyKind = """
        --b
        Content-Disposition: form-data; name="title"

        Coast
        --b
        Content-Disposition: form-data; name="count"

        3
        --b
        Content-Disposition: form-data; name="raw"; filename="a.raw"
        Content-Type: application/octet-stream

        ab
        --b
        Content-Disposition: form-data; name="plain"

        x
        --b
        Content-Disposition: form-data; name="photo"; filename="coast.JPG"
        Content-Type: image/jpeg

        jpeg
        --b
        Content-Disposition: form-data; name="again"; filename="b"
        Content-Type: x/y

        jpeg
        --b
        Content-Disposition: form-data; name="s"

        one
        --b
        Content-Disposition: form-data; name="p"
        X-Own: 1


        --b--

        """

    @Test("a part has one Content-Disposition and at most one Content-Type, whatever its further fields are")
    func singleFields() async throws {
        let headers: Headers = ["content-disposition": "attachment", "content-type": "a/b", "X": "1"]
        let text = try await text { form in
            form.part("p", "1", contentType: "x/y", headers: headers)
            form.part("q", "2", filename: "c.jpg", headers: headers)
        }
        #expect(
            text == """
                --b
                Content-Disposition: form-data; name="p"
                Content-Type: x/y
                X: 1

                1
                --b
                Content-Disposition: form-data; name="q"; filename="c.jpg"
                content-type: a/b
                X: 1

                2
                --b--

                """)
    }

    @Test("a form can be mixed or related, and can contain another form")
    func subtypes() async throws {
        let related = MultipartForm.Subtype.related(rootType: "application/json", start: "<a>")
        #expect(
            MultipartForm(related).contentType.hasPrefix(
                "multipart/related; type=\"application/json\"; start=\"<a>\"; boundary=sockeye-"))
        var inner = try MultipartForm(.mixed, boundary: "i:n")
        inner.part(headers: ["Content-ID": "<1>"], "inside")
        let outer = try await text(.mixed) { form in
            form.part(headers: [:], "first")
            try form.part(inner, headers: ["X": "y"])
        }
        #expect(
            outer
                == "--b\n\nfirst\n--b\nX: y\nContent-Type: multipart/mixed; boundary=\"i:n\"\n\n"
                + "--i:n\nContent-ID: <1>\n\ninside\n--i:n--\n\n--b--\n")
    }

    @Test("a form takes parameters as AFNetworking does: data unchanged, null as empty, the rest as text")
    func parameters() async throws {
        var form = MultipartForm()
        let parameters: RequestParameters = [
            "b": true, "d": Data([0, 255]), "n": .null, "a": [1, "x"] as ParameterValue, "f": ["k": ["l": 1.5]],
            "t": "ü&=",
            "date": Date(timeIntervalSince1970: 0), "set": Set(["q"]),
        ]
        try form.parameters(parameters, style: .afNetworking)
        let parts = try await Self.read(form)
        #expect(
            parts.map { "\($0.0)=\($0.1)" } == [
                "a[]=1", "a[]=x", "b=1", "d=\u{0}\u{FFFD}", "date=1970-01-01 00:00:00 +0000", "f[k][l]=1.5", "n=",
                "set=q", "t=ü&=",
            ])
        let error = #expect(throws: SockeyeError.self) { try form.parameters(["x": Double.nan]) }
        #expect(error?.code == .encodingFailed)
        #expect(throws: SockeyeError.self) { try form.parameters(["x": 1], style: .custom { _ in "" }) }
    }

    /// Returns the names and texts of a form's parts as this library's reader parses them.
    static func read(_ form: MultipartForm) async throws -> [(String, String)] {
        let sink = try await CollectingSink.collect(form.body())
        let response = IncomingResponse(
            status: .ok, headers: [.contentType: form.contentType], body: Bytes(await sink.bytes),
            url: try HTTPURL("http://x/"))
        var parts: [(String, String)] = []
        for try await part in try response.parts() {
            parts.append((part.name ?? "-", String(decoding: try await part.bytes(), as: UTF8.self)))
        }
        return parts
    }

    @Test("line ends in values are unchanged unless normalisation as in browsers is chosen", arguments: [false, true])
    func lineEnds(normalizes: Bool) async throws {
        var form = MultipartForm()
        form.normalizesLineEnds = normalizes
        form.field("a", "1\n2\r3\r\n4")
        #expect(try await Self.read(form).map(\.1) == [normalizes ? "1\r\n2\r\n3\r\n4" : "1\n2\r3\r\n4"])
    }

    @Test("a form knows its length, and is replayable, if this is true of every part")
    func lengthAndReplay() throws {
        let chunks = Elements([[1] as [UInt8]])
        var form = MultipartForm()
        form.field("a", "b")
        let small = try form.body()
        #expect(small.length != nil && small.isReplayable && !small.isProduced)
        form.stream("s", chunks, length: 1, isReplayable: true)
        let known = try form.body()
        #expect(known.length != nil && known.isReplayable)
        form.stream("s", chunks)
        let unknown = try form.body()
        #expect(unknown.length == nil && !unknown.isReplayable)
    }

    @Test("a form with a file of 50 GiB has its exact length")
    func huge() throws {
        let file = try ScratchFile()
        try file.resize(to: 50 << 30)
        var form = try MultipartForm(boundary: "b")
        try form.file("f", at: file.path)
        let head = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"file.bin\"\r\nContent-Type: "
        let around = head.utf8.count + "application/octet-stream\r\n\r\n\r\n--b--\r\n".utf8.count
        #expect(try form.body().length == (50 << 30) + around)
    }

    @Test("small parts are sent together in one write, and large parts by themselves")
    func writes() async throws {
        var form = MultipartForm()
        for index in 0..<100 { form.field("n\(index)", String(repeating: "x", count: 100)) }
        form.data("large", [UInt8](repeating: 1, count: 1 << 20))
        form.field("last", "y")
        let sink = try await CollectingSink.collect(form.body())
        let writes = await sink.writes
        #expect(writes.count == 3)
        #expect(writes[1] == 1 << 20)
    }

    @Test("small files are sent in one write with the neighbouring parts", .needs(.cachedReads))
    func smallFiles() async throws {
        let small = try ScratchFile("small", [UInt8](repeating: 1, count: 1000))
        let large = try ScratchFile("large", [UInt8](repeating: 2, count: 100_000))
        var form = MultipartForm()
        for index in 0..<20 { try form.file("f\(index)", at: small.path) }
        try form.file("l", at: large.path)
        try form.file("last", at: small.path)
        let body = try form.body()
        let sink = try await CollectingSink.collect(body)
        #expect(await sink.writes.count == 3)
        #expect(await sink.bytes.count == body.length)
        try small.resize(to: 10)
        let error = await #expect(throws: SockeyeError.self) { _ = try await CollectingSink.collect(body) }
        #expect(error?.code == .bodyLengthMismatch)
    }

    @Test("the time to send a form does not grow quadratically with the number of its fields")
    func manyFields() async throws {
        func time(_ count: Int) async throws -> Duration {
            let start = ProcessMeter.processorTime
            var form = MultipartForm()
            for index in 0..<count { form.field("n\(index)", "value") }
            _ = try await CollectingSink.collect(form.body())
            return .seconds(ProcessMeter.processorTime - start)
        }
        var (few, many) = (Duration.seconds(60), Duration.seconds(60))
        for _ in 1...3 { (few, many) = (min(few, try await time(2000)), min(many, try await time(20_000))) }
        #expect(many < few * 40, "in quadratic time the factor would be 100")
    }

    @Test("a form is refused if a part in memory or a nested form contains its boundary")
    func collisions() throws {
        let random = MultipartForm()
        for (outer, inner, isGood) in [("b", "b", false), ("b", "bc", false), ("bc", "b", true), ("x", "y", true)] {
            var form = try MultipartForm(.mixed, boundary: outer)
            var nested = try MultipartForm(.mixed, boundary: inner)
            nested.stream("s", Elements([[1] as [UInt8]]))
            try form.part(nested)
            #expect(((try? form.body()) != nil) == isGood, "\(inner) in \(outer)")
            var outermost = try MultipartForm(boundary: outer)
            var middle = random
            try middle.part(nested)
            try outermost.part(middle)
            #expect(((try? outermost.body()) != nil) == isGood, "\(inner) within \(outer)")
        }
        var copy = random
        copy.field("a", "b")
        var form = random
        try form.part(copy)
        let error = #expect(throws: SockeyeError.self) { try form.body() }
        #expect(error?.code == .encodingFailed)
        for (content, isGood) in [
            ("--b", false), ("1\r\n--b", false), ("1--b", true), ("1\n--b", false), ("\n-b", true), ("", true),
        ] {
            var form = try MultipartForm(boundary: "b")
            form.field("a", content)
            #expect(((try? form.body()) != nil) == isGood, "\(content.debugDescription)")
        }
    }

    @Test(
        "a custom boundary is found after a bare LF, in a throttled part, and in a nested form with a stream",
        arguments: [
            ("1\n--b", false), ("1\n--bc", false), ("1\r\n--b", false), ("--b", false), ("1\n--c", true),
            ("1\n-b", true), ("1\n", true), ("1--b", true),
        ])
    func hiddenCollisions(content: String, isGood: Bool) throws {
        var nested = MultipartForm(.mixed)
        nested.part(headers: [:], .string(content))
        nested.stream("s", Elements([[1] as [UInt8]]))
        var forms = try [MultipartForm](repeating: MultipartForm(boundary: "b"), count: 3)
        forms[0].field("a", content)
        forms[1].part("a", .string(content).throttled(bytesPerSecond: 1000))
        try forms[2].part(nested)
        for (index, form) in forms.enumerated() {
            #expect(((try? form.body()) != nil) == isGood, "\(index)")
        }
        guard !isGood else { return }
        let error = #expect(throws: SockeyeError.self) { try forms[2].body() }
        #expect(error?.code == .encodingFailed && error?.message.contains("part 1") == true)
    }

    @Test("making the body fails if a field, a length or the subtype cannot be sent")
    func faults() throws {
        #expect(throws: SockeyeError.self) { try MultipartForm(boundary: "a b ") }
        var field = MultipartForm()
        field.part("a", .none, headers: ["X": "1\r\n"])
        var type = MultipartForm()
        type.data("a", [1], contentType: "a\nb")
        var length = MultipartForm()
        length.stream("a", Elements([[1] as [UInt8]]), length: -1)
        let subtype = MultipartForm(MultipartForm.Subtype("a b"))
        let quoted = MultipartForm(.related(rootType: "a\"b"))
        for form in [field, type, length, subtype, quoted] {
            let error = #expect(throws: SockeyeError.self) { try form.body() }
            #expect(error?.code == .encodingFailed)
            #expect(error?.blame == .caller)
        }
    }

    @Test("the name of a file's folder is not sent, even if the file name begins with a combining mark")
    func combiningMark() async throws {
        let folder = try TemporaryFolder()
        let path = folder("\u{301}b.png")
        #expect(FileManager.default.createFile(atPath: path, contents: Data()))
        let text = try await text { form in try form.file("a", at: path) }
        #expect(text.unicodeScalars.contains("\u{301}") && text.contains("image/png"))
        let name = try #require(folder.path.split(separator: "/").last)
        #expect(!text.contains(String(name)))
    }

    @Test("unreadable files and URLs other than file URLs are refused", arguments: ["/nonexistent", "/", "/dev/null"])
    func badFiles(path: String) {
        var form = MultipartForm()
        let error = #expect(throws: SockeyeError.self) { try form.file("a", at: path) }
        #expect(error?.code == .bodyFailed)
        #expect(throws: SockeyeError.self) { try form.file(URL(filePath: path), name: "a") }
        #expect(throws: SockeyeError.self) { try form.file(URL(string: "https://example.com/a")!, name: "a") }
        #expect(form.isEmpty)
    }

    @Test(
        "the media type follows the file extension, in any case",
        arguments: [
            ("a.png", "image/png"), ("A.JPEG", "image/jpeg"), ("a.tar.gz", "application/gzip"),
            ("noext", "application/octet-stream"), (".png", "application/octet-stream"),
            ("a.", "application/octet-stream"),
            ("dir.txt/file", "application/octet-stream"), ("x.unheard", "application/octet-stream"),
            ("", "application/octet-stream"),
            ("a.txt", "text/plain"), ("a.cer", "application/pkix-cert"), ("a.crt", "application/x-x509-ca-cert"),
            ("a.der", "application/x-x509-ca-cert"), ("a.p12", "application/x-pkcs12"),
            ("a.ndjson", "application/x-ndjson"), ("a.log", "text/plain"), ("a.tgz", "application/gzip"),
            ("a.xz", "application/x-xz"), ("a.sql", "application/sql"),
        ])
    func types(name: String, type: String) {
        #expect(FileMediaTypes.type(of: name) == type)
    }
}
