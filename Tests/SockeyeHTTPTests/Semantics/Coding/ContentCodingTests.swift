import SockeyeHTTP
import Testing

@Suite struct ContentCodingTests {
    @Test(
        "the list of codings is read in any letter case, from several fields and with blanks",
        arguments: [
            (["gzip"], [.gzip]), (["GZIP"], [.gzip]), (["x-gzip"], [.gzip]), (["X-GZip"], [.gzip]),
            (["deflate"], [.deflate]), (["deflate, gzip"], [.deflate, .gzip]),
            (["deflate", "gzip"], [.deflate, .gzip]),
            ([" \tgzip\t ,deflate "], [.gzip, .deflate]), (["identity"], []), (["identity, gzip"], [.gzip]),
            ([", ,gzip,,"], [.gzip]), ([""], []), ([], []),
            (["gzip,gzip,gzip,gzip", "identity", "gzip"], .init(repeating: .gzip, count: 5)),
        ] as [([String], [ContentCoding])]
    )
    func parsing(values: [String], codings: [ContentCoding]) throws {
        #expect(try ContentCoding.parse(values) == codings)
    }

    @Test(
        "the error names an unknown coding, so that the body can be delivered undecoded",
        arguments: ["x-pack", "gzip, x-pack", "x-pack, gzip", " X-Pack"])
    func unknown(value: String) {
        #expect(throws: CodecError.unsupported(coding: "x-pack")) { try ContentCoding.parse([value]) }
    }

    @Test(
        "a malformed name counts as an unknown coding",
        arguments: ["gzip;q=1", "gz ip", "\"gzip\"", "gzip\u{0}", "gzip\u{A0}", "é"])
    func notAName(value: String) {
        #expect { try ContentCoding.parse([value]) } throws: { error in
            guard case .unsupported = error as? CodecError else { return false }
            return true
        }
    }

    @Test("more than five codings are refused, known or not", arguments: ["gzip", "x-pack"])
    func tooMany(coding: String) {
        let values = [String](repeating: coding, count: 6)
        #expect(throws: CodecError.tooManyCodings(limit: 5)) { try ContentCoding.parse(values) }
    }

    @Test("Accept-Encoding names only the linked codings")
    func accepted() {
        let names = ["gzip", "deflate"] + [ContentCoding.brotli, .zstandard].filter(\.isLinked).map(\.rawValue)
        #expect(ContentCoding.accepted == names.joined(separator: ", "))
    }

    @Test(
        "a request accepts only identity if its Accept-Encoding fields are missing, empty or name nothing else",
        arguments: [
            ([], true), ([""], true), (["identity"], true), (["Identity", ""], true), (["gzip"], false),
            (["", "gzip"], false), (["identity, gzip"], false), (["*"], false),
        ] as [([String], Bool)])
    func onlyIdentity(values: [String], isOnly: Bool) {
        var headers = Headers()
        for value in values { headers.append(.acceptEncoding, value) }
        #expect(headers.acceptsOnlyIdentity == isOnly)
    }

    @Test("the error's text quotes a peer's coding only if it is a short word")
    func description() {
        #expect("\(CodecError.unsupported(coding: "zstd"))".contains("\"zstd\""))
        #expect(!"\(CodecError.unsupported(coding: "a\r\nb"))".contains("\n"))
        #expect("\(CodecError.unsupported(coding: .init(repeating: "a", count: 999)))".count < 100)
    }
}
