import Foundation
import HTTPTypes
import SockeyeHTTP
import Testing

@Suite("Conversions of headers")
struct HeadersConversionTests {
    @Test("a headers literal can mix strings and known fields as names, and variables and strings as values")
    func literals() {
        let accepted = "text/plain"
        let headers: Headers = ["X-A": accepted, .accept: "text/html", "X-A": "2"]
        #expect(headers.map(\.name.description) == ["X-A", "Accept", "X-A"])
        #expect(headers[values: "x-a"] == ["text/plain", "2"])
        #expect(headers["X-a"] == "text/plain")
    }

    @Test("conversion to HTTPFields and back keeps order and repeated fields")
    func roundTrip() throws {
        let headers: Headers = ["Accept": "a", "x-B": "\u{E9}", "Accept": "c"]
        let fields = HTTPFields(headers)
        #expect(fields.map(\.name.rawName) == ["Accept", "x-B", "Accept"])
        #expect(fields[values: .accept] == ["a", "c"])
        #expect(Headers(fields) == headers)
        // HTTPFields cannot hold a name that is not a token.
        #expect(HTTPFields(["a b": "1", "C": "2"]).map(\.name.rawName) == ["C"])
        #expect(HTTPFields(["A": "x\ny"])[HTTPField.Name("A")!] == "x y")
    }

    @Test(
        "new values of a field take the place of its first line, or go to the end if the field is missing",
        arguments: [
            (["A": "1", "B": "2", "a": "3"], ["x", "y"], ["A": "x", "A": "y", "B": "2"]),
            (["A": "1", "B": "2", "a": "3"], [], ["B": "2"]), (["B": "2"], ["x"], ["B": "2", "A": "x"]),
            (["B": "2"], [], ["B": "2"]),
        ] as [(Headers, [String], Headers)])
    func replacing(before: Headers, values: [String], after: Headers) {
        var headers = before
        headers[values: "A"] = values
        #expect(headers == after)
    }

    @Test("headers of a response keep the case of names and read bytes that are not UTF-8 as ISO-8859-1")
    func received() throws {
        let bytes = Array("HTTP/1.1 200 OK\r\nx-One: ".utf8) + [0xE9] + Array("\r\nX-ONE: \u{E9}\u{1}\r\n\r\n".utf8)
        let headers = try #require(try parseHead(bytes)).makeFields()
        #expect(headers.map(\.name.description) == ["x-One", "X-ONE"])
        #expect(headers[values: "X-One"] == ["\u{E9}", "\u{E9} "])
    }

    @Test("headers are encoded as a list of pairs, and decoding refuses every other shape")
    func coding() throws {
        let headers: Headers = ["Accept": "a", "X-B": "", "accept": "c"]
        let data = try JSONEncoder().encode(headers)
        #expect(String(decoding: data, as: UTF8.self) == #"[["Accept","a"],["X-B",""],["accept","c"]]"#)
        #expect(try JSONDecoder().decode(Headers.self, from: data) == headers)
        for text in [#"{"A":"b"}"#, #"[["A"]]"#, #"["A","b"]"#, "[[1,2]]"] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Headers.self, from: Data(text.utf8)) }
        }
    }
}
