import Foundation
import SockeyeSerialization
import Testing

/// Typed and untyped reading accept the same texts (RFC 8259), whatever Foundation's decoder makes of them by itself.
@Suite("JSON that is read typed and untyped") struct JSONAgreementTests {
    private enum Value: Decodable, Equatable {
        case list([Value]), members([String: Value]), number(Double), text(String), truth(Bool), null

        init(from decoder: any Decoder) throws {
            let single = try decoder.singleValueContainer()
            if single.decodeNil() {
                self = .null
            } else if let truth = try? single.decode(Bool.self) {
                self = .truth(truth)
            } else if let text = try? single.decode(String.self) {
                self = .text(text)
            } else if let number = try? single.decode(Double.self) {
                self = .number(number)
            } else if let list = try? single.decode([Value].self) {
                self = .list(list)
            } else {
                self = .members(try single.decode([String: Value].self))
            }
        }
    }

    @Test(
        "is refused by both",
        arguments: [
            "[1,]", "[1,2,]", #"{"a":1,}"#, "[1 ,\n\t ]", #"{"a":[1,]}"#, #"[{"a":1,},2]"#, "[,]", "[1,,2]", #"["",]"#,
            #"["\\",]"#, "[0e]", "[0e+]", "[00e1]", "[01]", "[0e1.5]", "[0e1e1]", "0e1x", "[1.]", "[0e1",
            "[\"a long text before it, with, commas\"  ,                   ]",
        ])
    func refused(text: String) {
        #expect(throws: (any Error).self) { try JSONValue(parsing: text) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Value.self, checking: Data(text.utf8)) }
    }

    @Test(
        "is accepted by both, with the same value",
        arguments: [
            ("[0e1]", .list([.number(0)])), ("[0E1]", .list([.number(0)])), ("0e1", .number(0)),
            ("[0e400]", .list([.number(0)])), ("[-0e1]", .list([.number(0)])),
            ("[0e+1,0e-1]", .list([.number(0), .number(0)])),
            (#"{"a":0e1,"b":[0E22 , 10e1]}"#, .members(["a": .number(0), "b": .list([.number(0), .number(100)])])),
            (#"["0e1",",]","\",}"]"#, .list([.text("0e1"), .text(",]"), .text("\",}")])), ("[]", .list([])),
            (#"{"0e1":[ ]}"#, .members(["0e1": .list([])])), ("[0.0e1,20e1]", .list([.number(0), .number(200)])),
            (
                #"["a text that is longer than a word of the machine, ", 0e1]"#,
                .list([.text("a text that is longer than a word of the machine, "), .number(0)])
            ),
        ] as [(String, Value)])
    private func accepted(text: String, value: Value) throws {
        for encoding in [String.Encoding.utf8, .utf16LittleEndian, .utf32BigEndian] {
            let data = try #require(text.data(using: encoding))
            #expect(try JSONDecoder().decode(Value.self, checking: data) == value)
            let untyped = try JSONValue(parsing: data)
            #expect(try untyped.decoded(as: Value.self) == value)
        }
    }

    @Test("keeps the place of a comma that nothing follows")
    func place() throws {
        let error = try #require(throws: DecodingError.self) {
            try JSONDecoder().decode(Value.self, checking: Data("[1,\n2 , ]".utf8))
        }
        guard case .dataCorrupted(let context) = error, let cause = context.underlyingError as? JSONError else {
            throw error
        }
        #expect((cause.line, cause.column) == (2, 5))
        #expect(cause.kind == .unexpectedCharacter)
    }

    @Test("is JSON5 where that is allowed: a comma at the end belongs to it")
    func json5() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        #expect(try decoder.decode(Value.self, checking: Data("[1,]".utf8)) == .list([.number(1)]))
    }
}
