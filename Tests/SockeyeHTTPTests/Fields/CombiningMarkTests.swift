import SockeyeTestSupport
import Testing

@testable import SockeyeHTTP

@Suite("Fields of combining marks", .timeLimit(.minutes(1))) struct CombiningMarkTests {
    static let fields = [
        MarkedField("Content-Encoding") { marks in
            guard (try? ContentCoding.parse(["g\(marks)"])) == nil else { return false }
            return (try? ContentCoding.parse(["identity, i\(marks), x-\(marks)"])) == nil
        },
        MarkedField("Content-Disposition") { marks in
            let names = "a\(marks)=1; f\(marks)=2; f\(marks)*=UTF-8''3; filename*=U\(marks)''a"
            return ContentDisposition("f\(marks)=0; \(names); filename=x").fileName == "x"
        },
        MarkedField("the name of a file") { marks in
            for name in ["a\(marks).b\(marks)", "\(marks).txt", "c\(marks)"] {
                let disposition = ContentDisposition("attachment; filename=\"\(name)\"")
                guard SuggestedFileName.make(disposition, url: nil).utf8.count <= 255 else { return false }
            }
            return true
        },
        MarkedField("a URL in a field that is masked") { marks in
            let value = "a\(marks)@b"
            return SecretItemMask(mark: "*").masking(value, of: "X-Note").utf8.elementsEqual(value.utf8)
        },
    ]

    @Test("a field with 200,000 combining marks is read in linear time", arguments: fields)
    func linear(field: MarkedField) throws {
        #expect(try field.isRead())
    }

    @Test("names in fields are equal only if their bytes are equal")
    func bytes() throws {
        let disposition = ContentDisposition("a; \u{E9}=1; e\u{301}=2")
        #expect(disposition.parameters.map(\.value) == ["1", "2"])
        #expect(disposition["e\u{301}"] == "2")
        #expect(throws: CodecError.self) { try ContentCoding.parse(["gzip\u{301}"]) }
    }
}
