import Foundation
import Sockeye
import SockeyeTesting
import Testing

@Suite("Response serializers", .timeLimit(.minutes(1)))
struct ResponseSerializerTests {
    @Test("text, data and bytes are returned for any content type")
    func raw() async throws {
        let response = { try IncomingResponse.with("héllo", type: nil) }
        #expect(try await response().value(as: .text) == "héllo")
        #expect(try await response().value(as: .data) == Data("héllo".utf8))
        #expect(try await response().value(as: .bytes) == Bytes("héllo"))
        #expect(try await IncomingResponse.with("", type: nil).value(as: .text).isEmpty)
        #expect(try await IncomingResponse.with(" ", type: nil).value(as: .text) == " ")
    }

    @Test("text is read in the charset of Content-Type, or else in the fallback charset")
    func charset() async throws {
        let latin = Bytes([0xE9])
        let labelled = HTTPClient.answering(.bytes(latin, contentType: "text/plain; charset=iso-8859-1"))
        #expect(try await labelled.get("http://example.com/", as: .text) == "é")
        let bare = HTTPClient.answering(.bytes(latin, contentType: "text/plain"))
        #expect(try await bare.get("http://example.com/", as: .text(fallbackCharset: "iso-8859-1")) == "é")
        #expect(try await bare.get("http://example.com/", as: .text) == "\u{FFFD}")
    }

    @Test("a Content-Type of 200,000 combining marks is refused in linear time")
    func combiningMarks() {
        let validation = IncomingResponse.Validation(contentTypes: JSONResponseDecoder.contentTypes)
        for value in ["a" + String(repeating: "\u{301}\u{323}", count: 100_000), "application/json\u{301}"] {
            #expect(validation.objections(status: 200, contentType: [value]) == .contentType)
        }
    }

    @Test("a body beyond the limit is an error with limit and size, whether its length is declared or not")
    func limit() async throws {
        for length in [2000, nil] as [Int?] {
            let client = HTTPClient.answering(.source(length: length))
            let error = await #expect(throws: SockeyeError.self) {
                try await client.get("http://example.com/", as: .bytes.limited(to: 1000))
            }
            #expect(error?.code == .limitExceeded)
            #expect(error?.limit?.configured == "1000 bytes")
            #expect(error?.limit?.seen != nil)
        }
    }

    @Test("a prefix before JSON is removed")
    func prefix() async throws {
        let serializer = BodySerializer<[Int]>.json().preprocessed(.removingPrefix(")]}',\n"))
        #expect(try await IncomingResponse.with(")]}',\n[1]").value(as: serializer) == [1])
        #expect(try await IncomingResponse.with("[1]").value(as: serializer) == [1])
        let optional = BodySerializer<[Int]?>.json().preprocessed(.removingPrefix(")]}'"))
        #expect(try await IncomingResponse.with(")]}'").value(as: optional) == nil)
    }

    @Test("a custom preprocessor changes the body, and its error fails the call")
    func preprocessor() async throws {
        struct Broken: Error {}
        let reversed = BodySerializer<String>.text.preprocessed(.custom { body, _ in Bytes(body.reversed()) })
        #expect(try await IncomingResponse.with("abc").value(as: reversed) == "cba")
        let failing = BodySerializer<String>.text.preprocessed(.custom { _, _ in throw Broken() })
        let error = await #expect(throws: SockeyeError.self) {
            try await IncomingResponse.with("abc").value(as: failing)
        }
        #expect(error?.code == .decodingFailed)
        #expect(error?.underlying is Broken)
    }

    @Test("a call can change the settings of its serializer")
    func modifiers() async throws {
        let body = "x{\"name\":\"Ada\",\"age\":36}"
        let client = HTTPClient.answering(.text(body, status: 201))
        let user = try await client.get(
            "http://example.com/",
            as: .json(User.self).accepting(statusCodes: [201], contentTypes: ["text/plain"]).limited(to: 100)
                .preprocessed(.removingPrefix("x")))
        #expect(user.name == "Ada")
        let nothing = try await HTTPClient.answering(.status(204))
            .get("http://example.com/", as: .json(User?.self).emptyBody(.whereExpected))
        #expect(nothing == nil)
    }

    @Test("a value can be transformed, and the transformation may fail")
    func map() async throws {
        struct TooYoung: Error {}
        let ada = "{\"name\":\"Ada\",\"age\":36}"
        #expect(try await IncomingResponse.with(ada).value(as: .json(User.self).map(\.age)) == 36)
        let error = await #expect(throws: SockeyeError.self) {
            try await IncomingResponse.with(ada).value(as: .json(User.self).map { @Sendable _ in throw TooYoung() })
        }
        #expect(error?.underlying is TooYoung)
        let empty = try await IncomingResponse.with("").value(as: .json(User?.self).map(\.?.name))
        #expect(empty == nil)
    }
}

@Suite("Empty bodies", .timeLimit(.minutes(1)))
struct EmptyBodyTests {
    @Test(
        "an empty body is nil, NoContent or null, and for other types an error that says it is empty",
        arguments: ["", " "])
    func values(body: String) async throws {
        #expect(try await IncomingResponse.with(body).value(as: .json(User?.self)) == nil)
        #expect(try await IncomingResponse.with(body).value(as: .json(NoContent.self)) == NoContent())
        #expect(try await IncomingResponse.with(body).value(as: .json) == .null)
        let error = await #expect(throws: SockeyeError.self) {
            try await IncomingResponse.with(body).value(as: .json(User.self))
        }
        #expect(error?.code == .decodingFailed)
        #expect(error?.message.contains("empty") == true)
    }

    @Test("a policy can accept an empty body only with a 204 or 205")
    func whereExpected() async throws {
        let serializer = BodySerializer<User?>.json().emptyBody(.whereExpected)
        for status in [204, 205] {
            let response = try IncomingResponse.with("", status: status, type: nil)
            #expect(try await response.value(as: serializer) == nil)
        }
        let error = await #expect(throws: SockeyeError.self) {
            try await IncomingResponse.with("").value(as: serializer)
        }
        #expect(error?.code == .decodingFailed)
        let never = await #expect(throws: SockeyeError.self) {
            try await IncomingResponse.with("", status: 204).value(
                as: BodySerializer<User?>.json().emptyBody(.never))
        }
        #expect(never?.code == .decodingFailed)
    }

    @Test(
        "text, bytes and closures follow the policy for empty bodies",
        arguments: [
            (.always, 200, true), (.always, 204, true), (.whereExpected, 200, false), (.whereExpected, 204, true),
            (.never, 200, false), (.never, 204, false),
        ] as [(BodyHandling.EmptyBodyPolicy.Acceptance, Int, Bool)])
    func otherFormats(acceptance: BodyHandling.EmptyBodyPolicy.Acceptance, status: Int, isAccepted: Bool) async throws {
        func outcome<Value>(_ serializer: BodySerializer<Value>) async throws -> SockeyeError? {
            let response = try IncomingResponse.with("", status: status)
            do throws(SockeyeError) {
                _ = try await response.value(as: serializer.emptyBody(acceptance))
                return nil
            } catch {
                return error
            }
        }
        let outcomes = [
            try await outcome(.text), try await outcome(.bytes), try await outcome(.data),
            try await outcome(BodySerializer<String>.text.map { @Sendable in $0 + "!" }),
            try await outcome(BodySerializer { _, _ in 1 }),
        ]
        for error in outcomes {
            #expect((error == nil) == isAccepted)
            #expect(error == nil || error?.code == .decodingFailed && error?.message.contains("empty") == true)
        }
        #expect(try await IncomingResponse.with("a").value(as: .text.emptyBody(.never)) == "a")
    }

    @Test("a transformation to an optional or to JSON also gets the value of an empty body")
    func transformed() async throws {
        let count = BodySerializer<Data>.data.map { @Sendable in Optional($0.count) }
        #expect(try await IncomingResponse.with("").value(as: count) == 0)
        let text = BodySerializer<String>.text.map { @Sendable in JSONValue.string($0) }
        #expect(try await IncomingResponse.with("").value(as: text) == .string(""))
        let name = BodySerializer<User>.json().map { @Sendable in Optional($0.name) }
        let error = await #expect(throws: SockeyeError.self) {
            try await IncomingResponse.with("").value(as: name)
        }
        #expect(error?.code == .decodingFailed)
    }

    @Test("each serializer of a compound has its own policy for empty bodies")
    func compound() async throws {
        let serializer = BodySerializer<String>.compound([BodySerializer.text.emptyBody(.never), BodySerializer.text])
        #expect(try await IncomingResponse.with("").value(as: serializer) == "")
    }

    @Test("the response to HEAD has no body, regardless of its fields")
    func head() async throws {
        try await withTestServer { _ in
            .json(User(name: "Ada", age: 36))
        } run: { server in
            let serializer = BodySerializer<User?>.json().emptyBody(.whereExpected)
            let user = try await HTTPClient().request(.head, server.url(), as: serializer)
            #expect(user == nil)
        }
    }

    @Test("typed calls accept empty content as NoContent or nil")
    func calls() async throws {
        let client = HTTPClient.answering(.status(204))
        let nothing = try await client.delete("http://example.com/", as: NoContent.self)
        let user = try await client.get("http://example.com/", as: User?.self)
        #expect(nothing == NoContent())
        #expect(user == nil)
    }

    static let irrelevant: [TestServerResponse] = [
        .bytes(Bytes("ok"), contentType: "text/plain"), .bytes(Bytes("no JSON"), contentType: "application/json"),
        .bytes(Bytes(String(repeating: "[", count: 600)), contentType: "application/json"),
        .source(length: 17 << 20), .source(length: nil),
    ]

    @Test("typed calls accept any content as NoContent, and check only the status", arguments: irrelevant.indices)
    func anyContent(index: Int) async throws {
        let client = HTTPClient.answering(Self.irrelevant[index])
        try await client.post("http://example.com/", .body("x"), as: NoContent.self)
        let value = try await client.get("http://example.com/", as: NoContent.self, nilFor: [.notFound])
        #expect(value == NoContent())
        let error = await #expect(throws: SockeyeError.self) {
            try await HTTPClient.answering(.status(500)).get("http://example.com/", as: NoContent.self)
        }
        #expect(error?.code == .unacceptableStatus)
    }
}
