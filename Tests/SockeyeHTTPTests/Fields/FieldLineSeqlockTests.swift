import Testing

@testable import SockeyeHTTP

@Suite("A field line read by many threads", .timeLimit(.minutes(1))) struct FieldLineSeqlockTests {
    /// The fields that a request to this URL gets; nil if the line does not apply to it.
    private func taken(_ line: borrowing FieldLineSeqlock, _ url: String, at now: Int64 = 0) throws -> [String]? {
        var fields = FieldLineBuffer()
        guard line.add(to: &fields, for: try HTTPURL(url), at: { now }) else {
            #expect(fields.isEmpty)
            return nil
        }
        return fields.values
    }

    private func share(
        _ value: String?, _ url: String, _ extent: URLPrefix.Extent = .origin, until end: Int64 = .max,
        in line: borrowing FieldLineSeqlock
    ) throws -> Bool {
        let url = try HTTPURL(url)
        return line.publish(value.flatMap(EncodedField.cookie), URLPrefix(url, extent), of: url, until: end)
    }

    @Test("the line applies to URLs with the same prefix and to no others")
    func beginnings() throws {
        let line = FieldLineSeqlock()
        #expect(try taken(line, "http://a.test/") == nil)
        #expect(try share("a=1", "http://a.test/x", in: line))
        #expect(try taken(line, "http://a.test/") == ["a=1"])
        #expect(try taken(line, "http://u:p@a.test/y?z") == ["a=1"])
        for url in ["http://a.test:81/", "https://a.test/", "http://b.test/", "http://a.tes/", "http://a.test.b/"] {
            #expect(try taken(line, url) == nil)
        }
        #expect(try share("b=2", "http://a.test/x", .path, in: line))
        #expect(try taken(line, "http://a.test/x?y") == ["b=2"])
        #expect(try taken(line, "http://a.test/") == nil && taken(line, "http://a.test/x/") == nil)
    }

    @Test("a line can say that there is no field, expires, and can be withdrawn")
    func ends() throws {
        let line = FieldLineSeqlock()
        #expect(try share(nil, "http://a.test/", in: line))
        #expect(try taken(line, "http://a.test/") == [])
        #expect(try share("a=1", "http://a.test/", until: 10, in: line))
        #expect(try taken(line, "http://a.test/", at: 9) == ["a=1"])
        #expect(try taken(line, "http://a.test/", at: 10) == nil)
        line.withdraw()
        #expect(try taken(line, "http://a.test/") == nil)
        #expect(try share("c=3", "http://a.test/", in: line))
        #expect(try taken(line, "http://a.test/") == ["c=3"])
    }

    @Test("a line that is too long is not shared, and the previous one stays")
    func lengths() throws {
        let line = FieldLineSeqlock()
        #expect(try share("a=1", "http://a.test/", in: line))
        #expect(try !share(String(repeating: "x", count: 1000), "http://a.test/", in: line))
        let long = "http://\([String](repeating: String(repeating: "x", count: 60), count: 4).joined(separator: "."))/"
        #expect(try !share("b=2", long + String(repeating: "y", count: 400), .path, in: line))
        #expect(try !share("b=2", "http://[fe80::1%25eth0]/", in: line))
        #expect(try taken(line, "http://a.test/") == ["a=1"])
        #expect(try share("b=2", long, in: line) && taken(line, long) == ["b=2"])
        for length in 1...100 {
            let value = String(repeating: "x", count: length)
            #expect(try share(value, "http://a.test/", in: line) && taken(line, "http://a.test/") == [value])
        }
    }

    @Test("the line reports once that it was read")
    func note() throws {
        let line = FieldLineSeqlock()
        #expect(try share("a=1", "http://a.test/", in: line) && !line.takeUseFlag())
        #expect(try taken(line, "http://b.test/") == nil && !line.takeUseFlag())
        #expect(try taken(line, "http://a.test/") == ["a=1"])
        #expect(line.takeUseFlag() && !line.takeUseFlag())
    }

    @Test("a reader never sees a mixture of two lines")
    func changing() async throws {
        final class Place: Sendable { let line = FieldLineSeqlock() }
        let place = Place()
        let urls = try ["http://a.test/", "http://a.test:8080/"].map { try HTTPURL($0) }
        let values = ["a", "b"].map { String(repeating: $0, count: $0 == "a" ? 40 : 300) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<20_000 {
                    let url = urls[round % 2]
                    let field = EncodedField.cookie(values[round % 2])
                    _ = place.line.publish(field, URLPrefix(url, .origin), of: url, until: .max)
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    for round in 0..<20_000 {
                        var fields = FieldLineBuffer()
                        guard place.line.add(to: &fields, for: urls[round % 2], at: { 0 }) else { continue }
                        #expect(fields.values == [values[round % 2]])
                    }
                }
            }
        }
    }
}

extension FieldLineBuffer {
    fileprivate var values: [String] {
        var headers = Headers()
        copy(to: &headers)
        return headers.map(\.value)
    }
}
