import HTTPTypes
import SockeyeHTTP
import Testing

@Suite struct HeadersTests {
    private func lines(_ headers: Headers) -> [String] {
        headers.map { "\($0.name): \($0.value)" }
    }

    @Test("headers keep order, case, duplicates and values as given")
    func literal() {
        let headers: Headers = ["b": "1", "A": "2\r\n", "B": "3"]
        #expect(lines(headers) == ["b: 1", "A: 2\r\n", "B: 3"])
        #expect(headers[values: "B"] == ["1", "3"])
        #expect(headers.count == 3)
        #expect(headers[1].name == "a")
    }

    @Test("the subscript gets the first value and replaces all values")
    func subscripting() {
        var headers: Headers = ["A": "1", "B": "2", "a": "3", "C": "4"]
        #expect(headers["a"] == "1")
        #expect(headers["D"] == nil)
        headers["a"] = "5"
        #expect(lines(headers) == ["a: 5", "B: 2", "C: 4"])
        headers["D"] = "6"
        headers["b"] = nil
        #expect(lines(headers) == ["a: 5", "C: 4", "D: 6"])
        headers.append("c", "7")
        #expect(headers.contains("C"))
        headers.removeAll(named: "C")
        #expect(lines(headers) == ["a: 5", "D: 6"])
    }

    @Test("merging takes from the defaults only the names that are missing")
    func merging() {
        let headers: Headers = ["User-Agent": "mine", "X": "1"]
        let merged = headers.merging(["user-agent": "default", "Accept": "*/*", "accept": "text/html"])
        #expect(lines(merged) == ["User-Agent: mine", "X: 1", "Accept: */*", "accept: text/html"])
        #expect(Headers().merging(headers) == headers)
        #expect(headers.merging([:]) == headers)
    }

    @Test("headers made from HTTPFields keep their order")
    func httpFields() {
        var fields = HTTPFields()
        fields.append(HTTPField(name: .accept, value: "a"))
        fields.append(HTTPField(name: HTTPField.Name("x-B")!, value: "b"))
        fields.append(HTTPField(name: .accept, value: "c"))
        #expect(lines(Headers(fields)) == ["Accept: a", "x-B: b", "Accept: c"])
    }

    @Test("headers with a value that is costly to normalize are hashed in linear time", .timeLimit(.minutes(1)))
    func hashing() {
        let value = "a" + String(repeating: "\u{301}\u{323}", count: 200_000)
        let set: Set<Headers> = [["A": value], ["a": value], ["A": value + "b"], ["A": "\u{E9}"], ["A": "e\u{301}"]]
        #expect(set.count == 4)
    }

    @Test("the description of headers does not show values")
    func description() {
        let headers: Headers = [.authorization: "secret", "X": "y"]
        #expect(headers.description == "[Authorization, X]")
    }
}
