import SockeyeCore
import SockeyeHTTP
import SockeyeStreams
import SockeyeTestSupport
import Testing

@Suite("The multipart parser") struct MultipartParserTests {
    @Test(
        "the parser finds the parts of a well-formed body, wherever the body is cut",
        arguments: [
            ("--b\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--\r\n", ["one", "two"]),
            ("--b\r\nA: 1\r\n\r\none\r\n--b--", ["one"]),
            ("\r\n--b\r\n\r\none\r\n--b--", ["one"]),
            ("preamble\r\nof lines\r\n--b\r\n\r\none\r\n--b--\r\nepilogue\r\n--b\r\n\r\nno part", ["one"]),
            ("--b \t \r\n\r\none\r\n--b\t\r\n\r\ntwo\r\n--b-- \r\n", ["one", "two"]),
            ("--b\r\n\r\n\r\n--b\r\n\r\n\r\n\r\n--b--", ["", "\r\n"]),
            ("--b\r\nA: 1\r\n\r\n--b\r\n\r\n--b--", ["", ""]),
            ("--b--", []), ("\r\n--b--\r\n", []),
            (
                "--b\r\n\r\n\r\r\n\r\n-\r\n--\r\n--a\r\n-b--b\n--b\r\r\n--b--",
                ["\r\r\n\r\n-\r\n--\r\n--a\r\n-b--b\n--b\r"]
            ),
            ("--b\r\n\r\n--c\r\n--c--\r\n--b--", ["--c\r\n--c--"]),
            ("--b\r\n\r\n-\r\n--b--", ["-"]),
            // The delimiters of an inner boundary that begins with the outer boundary.
            ("--b\r\n\r\n--bc\r\n\r\n1\r\n--bc--\r\n--b--", ["--bc\r\n\r\n1\r\n--bc--"]),
            ("--b\r\n\r\nx\r\n--b-1\r\n--b-\r\n--b--", ["x\r\n--b-1\r\n--b-"]),
            ("--bb\r\n--b=\r\n--b\r\n\r\none\r\n--b--", ["one"]),
            // Lines of content in which a CR without LF follows the boundary.
            ("--b\r\n\r\nQQ\r\n--b\rQQ\r\n--b--", ["QQ\r\n--b\rQQ"]),
            ("--b\r\n\r\nx\r\n--b\r\r\n--b--", ["x\r\n--b\r"]),
        ])
    func wellFormed(text: String, texts: [String]) {
        let (whole, isSame) = Parsed.everyWay(text)
        #expect(whole.texts == texts)
        #expect(whole.isFinished)
        #expect(whole.parts.allSatisfy { $0.isComplete })
        #expect(isSame)
    }

    @Test("the parser delivers the fields of each part and joins folded lines")
    func fields() {
        let text =
            "--b\r\nContent-Type: text/plain\r\nX-Long: a\r\n  b\r\n\tc\r\nx-empty:\r\n\r\n1\r\n--b\r\n\r\n2\r\n--b--"
        let (whole, isSame) = Parsed.everyWay(text)
        #expect(whole.parts[0].fields == ["Content-Type=text/plain", "X-Long=a    b  \tc", "x-empty="])
        #expect(whole.parts[1].fields.isEmpty)
        #expect(isSame)
    }

    @Test(
        "the parser names the fault of a malformed body, wherever the body is cut",
        arguments: [
            ("", .noDelimiter), ("nothing", .noDelimiter), ("--", .noDelimiter), ("x--b\r\n\r\n1", .noDelimiter),
            ("--b", .truncatedHead), ("--b\r", .truncatedHead), ("--b-", .truncatedHead),
            ("--b\r\nA: 1", .truncatedHead),
            ("--b\r\nA: 1\r\n", .truncatedHead), ("--b\r\n\r\none", .truncatedPart), ("--b\r\n\r\n", .truncatedPart),
            ("--b\r\n\r\none\r\n--", .truncatedPart), ("--b\r\n\r\none\r\n--b", .truncatedHead),
            ("--bc\r\n\r\n1", .noDelimiter), ("--b\n\n1\n--b--", .badDelimiterLine), ("--b \rx", .badDelimiterLine),
            ("--b-c", .noDelimiter), ("--b\r\n\r\n1\r\n--bx", .truncatedPart), ("--b\rx", .noDelimiter),
            ("--B\r\n\r\n1\r\n--b--", .noPart), ("x\r\n--b--", .noPart),
            ("--b\r\nA: 1\n\r\n1\r\n--b--", .badHead(.bareLF)),
            ("--b\r\nA : 1\r\n\r\n", .badHead(.whitespaceBeforeColon)),
            ("--b\r\n A: 1\r\n\r\n", .badHead(.obsFold)),
            ("--b\r\nno colon\r\n\r\n", .badHead(.badFieldName("no colon"))),
            ("--b\r\nA: \0\r\n\r\n", .badHead(.nulInHead)), ("--b\r\nA: a\rb\r\n\r\n", .badHead(.bareCR)),
        ] as [(String, MultipartFault)])
    func malformed(text: String, fault: MultipartFault) {
        let (whole, isSame) = Parsed.everyWay(text)
        #expect(whole.fault == fault)
        #expect(!whole.isFinished)
        #expect(isSame)
        #expect(!fault.description.isEmpty)
    }

    @Test("the parser keeps to its limits, wherever the body is cut")
    func limits() {
        var limits = MultipartLimits()
        limits.parts = 2
        limits.headBytes = 16
        limits.fields = 2
        limits.preambleBytes = 8
        let cases: [(String, MultipartFault?)] = [
            ("--b\r\n\r\n1\r\n--b\r\n\r\n2\r\n--b--", nil),
            ("--b\r\n\r\n1\r\n--b\r\n\r\n2\r\n--b\r\n\r\n3\r\n--b--", .tooManyParts(limit: 2)),
            ("--b\r\nA: 234567890\r\n\r\n\r\n--b--", nil),
            ("--b\r\nA: 2345678901\r\n\r\n\r\n--b--", .headTooLarge(limit: 16)),
            ("--b\r\na:\r\nb:\r\n\r\n\r\n--b--", nil),
            ("--b\r\na:\r\nb:\r\nc:\r\n\r\n\r\n--b--", .badHead(.tooManyFields(limit: 2))),
            ("12345678\r\n--b\r\n\r\n1\r\n--b--", nil), ("123456789\r\n--b--", .preambleTooLarge(limit: 8)),
            ("--b" + String(repeating: " ", count: 16) + "\r\n\r\n\r\n--b--", nil),
            ("--b" + String(repeating: " ", count: 17) + "\r\n\r\n\r\n--b--", .headTooLarge(limit: 16)),
        ]
        for (text, fault) in cases {
            let (whole, isSame) = Parsed.everyWay(text, limits: limits)
            #expect(whole.fault == fault, "\(text.debugDescription)")
            #expect(whole.isFinished == (fault == nil))
            #expect(isSame, "\(text.debugDescription)")
        }
    }

    @Test("the parser passes large content on without copying it")
    func slices() throws {
        let boundary = try #require(MultipartBoundary("b"))
        var parser = MultipartParser(boundary: boundary)
        let large = Bytes([UInt8](repeating: 7, count: 1 << 20))
        parser.append(Bytes("--b\r\n\r\n"))
        _ = try parser.next()
        parser.append(large)
        guard case .data(let bytes) = try parser.next() else {
            Issue.record("no content")
            return
        }
        let addresses = unsafe [large, bytes].map { unsafe $0.withUnsafeBytes { $0.baseAddress } }
        unsafe #expect(addresses[0] == addresses[1])
        #expect(bytes.count == large.count)
    }

    /// Parses generated pieces. Returns the number of parts, the bytes of content, the fault, and the bytes read.
    private func parse(
        _ limits: MultipartLimits = MultipartLimits(), pieces: Int, _ piece: (Int) -> Bytes
    ) throws -> (parts: Int, content: Int, fault: MultipartFault?, read: Int) {
        var parser = MultipartParser(boundary: try #require(MultipartBoundary("b")), limits: limits)
        var result = (parts: 0, content: 0, fault: MultipartFault?.none, read: 0)
        do throws(MultipartFault) {
            for index in 0..<pieces {
                let bytes = piece(index)
                result.read += bytes.count
                parser.append(bytes)
                reading: while true {
                    switch try parser.next() {
                    case .needMore: break reading
                    case .part: result.parts += 1
                    case .data(let bytes): result.content += bytes.count
                    case .endOfPart: break
                    case .finished: return result
                    }
                }
            }
        } catch {
            result.fault = error
        }
        return result
    }

    @Test("the parser accepts exactly as many tiny parts as its limit allows")
    func manyParts() throws {
        let text = (0..<100).map { _ in "--b\r\n\r\nx\r\n" }.joined()
        var limits = MultipartLimits()
        limits.parts = 100_000
        let all = try parse(limits, pieces: 1001) { $0 < 1000 ? Bytes(text) : Bytes("--b--") }
        #expect(all == (100_000, 100_000, nil, 1000 * text.utf8.count + 5))
        let few = try parse(pieces: 1001) { _ in Bytes(text) }
        #expect(few.parts == 1000)
        #expect(few.fault == .tooManyParts(limit: 1000))
    }

    @Test("the parser stops reading an endless preamble, head, padding or field list at its limit")
    func endless() throws {
        let block = Bytes(String(repeating: "x", count: 10_000))
        let preamble = try parse(pieces: 100_000) { _ in block }
        #expect(preamble.fault == .preambleTooLarge(limit: 64 << 10))
        #expect(preamble.read <= 70_000)
        let head = try parse(pieces: 100_000) { $0 == 0 ? Bytes("--b\r\nA: ") : block }
        #expect(head.fault == .headTooLarge(limit: 16 << 10))
        #expect(head.read <= 30_000)
        let padding = try parse(pieces: 100_000) { Bytes($0 == 0 ? "--b" : "         ") }
        #expect(padding.fault == .headTooLarge(limit: 16 << 10))
        let fields = try parse(pieces: 100_000) { Bytes($0 == 0 ? "--b\r\n" : "a:\r\n") }
        #expect(fields.fault == .headTooLarge(limit: 16 << 10))
        let almost = try parse(pieces: 100_000) { _ in Bytes("\r\n--") }
        #expect(almost.fault == .preambleTooLarge(limit: 64 << 10))
    }

    @Test("the parser passes on content that repeatedly resembles a delimiter")
    func nearMisses() throws {
        let result = try parse(pieces: 200_000) {
            Bytes($0 == 0 ? "--b\r\n\r\n" : ["\r", "\n-", "-", "\r\n--a"][$0 % 4])
        }
        #expect(result.fault == nil)
        #expect(result.parts == 1)
        #expect(result.read - result.content < 20)
    }

    @Test(
        "a body cut at random gives its contents, and a damaged body gives the same result cut and whole",
        arguments: 0..<200)
    func random(seed: Int) throws {
        var generator = SplitMix(seed: UInt64(seed))
        let boundary = try #require(MultipartBoundary("bound"))
        let framing = MultipartFraming(boundary: boundary)
        let alphabet = Array("\r\n--boundx".utf8)
        let contents: [[UInt8]] = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
            let count = Int.random(in: 0...200, using: &generator)
            let content = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            return Self.holds(content, boundary.text) ? [] : content
        }
        var body: [UInt8] = []
        for (index, content) in contents.enumerated() {
            let head = try PartHead(disposition: FormDisposition(name: "n\(index)")).encoded()
            framing.writeOpening(head, isFirst: index == 0, to: &body)
            body += content
        }
        body += framing.ending
        let lengths = try contents.enumerated().map { index, content in
            (
                head: try PartHead(disposition: FormDisposition(name: "n\(index)")).encoded().count,
                content: Int?(content.count)
            )
        }
        #expect(framing.length(of: lengths) == body.count)
        let parsed = Parsed(Self.pieces(of: body, using: &generator), boundary: boundary.text)
        #expect(parsed.parts.map(\.content) == contents)
        #expect(parsed.isFinished)

        for _ in 0..<20 {
            var damaged = body
            for _ in 0..<3 {
                damaged[Int.random(in: 0..<damaged.count, using: &generator)] =
                    alphabet.randomElement(using: &generator) ?? 0
            }
            let pieces = Self.pieces(of: damaged, using: &generator)
            #expect(Parsed(pieces, boundary: boundary.text) == Parsed([Bytes(damaged)], boundary: boundary.text))
        }
    }

    private static func holds(_ content: [UInt8], _ boundary: String) -> Bool {
        content.indices.contains { content[$0...].starts(with: "--\(boundary)".utf8) }
    }

    private static func pieces(of bytes: [UInt8], using generator: inout SplitMix) -> [Bytes] {
        var pieces: [Bytes] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Int.random(in: 0...40, using: &generator)
            pieces.append(Bytes(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces
    }
}
