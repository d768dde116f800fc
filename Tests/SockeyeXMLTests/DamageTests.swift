#if XML
import SockeyeTesting
import SockeyeXML
import Testing

@Suite("Damaged XML", .timeLimit(.minutes(1)))
struct DamageTests {
    /// A short document with every kind of markup.
    private static let text = """
        <?xml version='1.0'?><!DOCTYPE a [<!ENTITY e 'x'><!ATTLIST a k CDATA 'd'><!--c--><?p i?>]>\
        <p:a b='&e;' xmlns:p='u'><![CDATA[c]]><!--d--><?e f?>é&e;&#65;</p:a>
        """

    /// The document in UTF-8 without and with a byte order mark, and in UTF-16.
    private static let documents: [[UInt8]] = [
        Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8),
        [0xFF, 0xFE] + Array(text.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
    ]

    @Test("a document that is cut short after its start fails with unexpectedEnd", arguments: documents.indices)
    func truncated(index: Int) {
        let document = Self.documents[index]
        #expect(failure(Bytes(document)) == nil)
        for count in 0..<document.count {
            let kind = failure(Bytes(document.prefix(count)))?.kind
            // The first bytes may be only a byte order mark and half a `<`, so the parser cannot tell that more should
            // follow.
            let isStart = count <= 4 && (kind == .empty || index > 0 && kind == .malformed)
            #expect(kind == .unexpectedEnd || isStart, "\(count): \(kind as Any)")
        }
    }

    @Test(
        "a document with any byte replaced is either an error or a document, and never a crash",
        arguments: documents.indices)
    func damaged(index: Int) {
        let document = Self.documents[index]
        for index in document.indices {
            for byte: UInt8 in [0x26, 0x3C, 0x3E, 0x80, 0xFF] {
                var damaged = document
                damaged[index] = byte
                _ = failure(Bytes(damaged))
            }
        }
    }

    @Test("a NUL at any place of a document is an error")
    func nul() {
        let document = Self.documents[0]
        for index in document.indices {
            var damaged = document
            damaged.insert(0, at: index)
            #expect(failure(Bytes(damaged)) != nil, "\(index)")
            damaged[index + 1] = 0
            #expect(failure(Bytes(damaged)) != nil, "\(index)")
        }
        #expect(failure(Bytes(document + [0])) != nil)
    }

    @Test(
        "random bytes never crash the parser",
        arguments: ["", "<a>", "<!DOCTYPE a [", "<a b='", "<![CDATA[", "\u{FEFF}"])
    func random(start: String) {
        var state: UInt64 = 1
        for round in 0..<300 {
            var bytes = Array(start.utf8)
            for _ in 0..<round {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                // On average every other byte is one with a meaning in XML.
                let random = UInt8(truncatingIfNeeded: state >> 40)
                let sample = Self.documents[0]
                bytes.append(random & 1 == 0 ? sample[Int(state >> 33) % sample.count] : random)
            }
            _ = failure(Bytes(bytes))
        }
    }

    @Test("parsers in many tasks at once keep faulty and well-formed documents apart")
    func parallel() async {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    guard number.isMultiple(of: 2) else {
                        return failure(Bytes("<?xml version='1.0' encoding='none-\(number)'?><a/>"))?.kind
                            == .unknownEncoding
                    }
                    let text = "<!DOCTYPE a [<!ENTITY e '\(number)'>]><a b='&e;'>&e;</a>"
                    let root = try? parse(text).root
                    return root?.text == "\(number)" && root?["b"] == "\(number)"
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
#endif
