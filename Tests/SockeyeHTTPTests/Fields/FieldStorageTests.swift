import Testing

@testable import SockeyeHTTP

/// Headers keeps its fields as lines in one growing buffer, which copies share. These tests compare it with plain lists
/// of pairs.
@Suite("Storage of header fields") struct FieldStorageTests {
    private typealias Pair = (name: String, value: String)

    private func pairs(_ headers: Headers) -> [[String]] { headers.map { [$0.name.description, $0.value] } }

    private func headers(_ pairs: [Pair]) -> Headers {
        var headers = Headers()
        for pair in pairs { headers.append(Headers.Name(pair.name), pair.value) }
        return headers
    }

    private func sample(_ count: Int, length: Int) -> [Pair] {
        (0..<count).map {
            ("X-\(String(repeating: "n", count: $0 % 40))\($0)", String(repeating: "\($0)", count: length))
        }
    }

    @Test("any number of fields is read back unchanged", arguments: [1, 5, 6, 7, 20, 500], [0, 7, 33, 3000])
    func growth(count: Int, length: Int) throws {
        let sample = sample(count, length: length)
        let headers = headers(sample)
        #expect(pairs(headers) == sample.map { [$0.name, $0.value] })
        for pair in sample { #expect(headers[Headers.Name(pair.name.uppercased())] == pair.value) }
        let lines = sample.map { "\($0.name): \($0.value)\r\n" }.joined()
        #expect(try #require(headers.lines) == Array(lines.utf8))
        #expect(headers.byteCount == lines.utf8.count)
    }

    @Test("changes to a copy leave the original alone")
    func copies() {
        let original = headers(sample(9, length: 10))
        let before = pairs(original)
        var (longer, shorter, other) = (original, original, original)
        longer.append("A", "1")
        for number in 0..<50 { longer.append("B", "\(number)") }
        shorter.removeAll(named: "x-0")
        other["X-0"] = "other"
        other.reserveCapacity(1)
        #expect(pairs(original) == before)
        #expect(pairs(longer).prefix(9) == before[...] && longer.count == 60)
        #expect(pairs(shorter) == Array(before.dropFirst()))
        #expect(pairs(other) == [["X-0", "other"]] + before.dropFirst())
    }

    @Test("a look-up by name ignores letter case and finds no field of another name", arguments: 0..<40)
    func names(length: Int) {
        let name = String(repeating: "q", count: length)
        let headers = headers([("Accept", "1"), (name, "2"), (name + "r", "3"), (name.uppercased(), "4")])
        #expect(headers[values: Headers.Name(name.uppercased())] == ["2", "4"])
        #expect(headers.contains(Headers.Name(name + "R")) && !headers.contains(Headers.Name(name + "s")))
        #expect(!Headers().contains(Headers.Name(name)))
    }

    @Test("fields that differ only in the case of their names are equal and hash equally")
    func equality() {
        let headers: Headers = ["A-B": "x", "C": "y"]
        #expect(headers == ["a-b": "x", "c": "y"])
        #expect(headers.hashValue == (["a-b": "x", "c": "y"] as Headers).hashValue)
        let others: [Headers] = [
            ["C": "y", "A-B": "x"], ["A-B": "X", "C": "y"], ["A-B": "x"], ["A-": "Bx", "C": "y"], [:],
            ["A-B": "x", "C": "y", "D": ""],
        ]
        for other in others { #expect(headers != other) }
        #expect(Headers() == [:])
    }

    /// RFC 9110 5.5, RFC 9112 3.2 and 6. Headers made from other headers must keep the flags of special and
    /// invalid fields.
    @Test("Host, Connection, Expect and invalid fields are recognised in headers made from other headers")
    func flags() throws {
        let sample: [Pair] = [("Host", "h"), ("Connection", "close"), ("X", "a\nb"), ("Expect", "100-continue")]
        for pair in sample {
            let field = headers([pair])
            var replaced = headers([(pair.name, "z"), ("Y", "1")])
            replaced[Headers.Name(pair.name)] = pair.value
            var without = field.merging(["Y": "1"])
            for list in [field.merging(["Y": "1"]), (["Y": "1"] as Headers).merging(field), replaced] {
                #expect(list.storage.flags == field.storage.flags && !list.storage.flags.isEmpty)
                #expect(list.asksToClose == (pair.name == "Connection"))
                #expect(list.asksForContinue == (pair.name == "Expect"))
                #expect((list.firstFault == nil) == (pair.name != "X") && (list.lines == nil) == (pair.name == "X"))
            }
            without[Headers.Name(pair.name)] = nil
            #expect(without.storage.flags.isEmpty && pairs(without) == [["Y", "1"]])
        }
    }

    @Test("fields that can never be sent are stored unchanged")
    func refused() {
        let values = ["", "\r\n", "a\u{0}b", "a: b\r\nc: d", "\u{E9}\u{1F600}", String(repeating: "\u{7F}", count: 99)]
        let headers = headers(values.map { ($0, $0) })
        #expect(pairs(headers) == values.map { [$0, $0] })
        for value in values { #expect(headers[Headers.Name(value)] == value) }
        #expect(headers.firstFault == .invalidFieldName(""))
    }

    @Test("reserving any capacity neither traps nor changes the fields", arguments: [.min, -1, 0, 1, 100, .max])
    func reserving(count: Int) {
        var headers: Headers = ["A": "1"]
        headers.reserveCapacity(count)
        headers.append("B", "2")
        #expect(pairs(headers) == [["A", "1"], ["B", "2"]])
    }
}
