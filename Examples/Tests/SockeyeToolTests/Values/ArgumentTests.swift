import Sockeye
import Testing

@testable import SockeyeToolKit

@Suite("Arguments in curl's form")
struct ArgumentTests {
    @Test(
        arguments: [
            (["-sSo", "f"], ["-s", "-S", "-o", "f"]), (["-sSof"], ["-s", "-S", "-o", "f"]),
            (["-XPOST", "-da=1"], ["-X", "POST", "-d", "a=1"]), (["-d", "-sS"], ["-d", "-sS"]),
            (["--data", "-sS", "-sS"], ["--data", "-sS", "-s", "-S"]), (["-", "-o", "-"], ["-", "-o", "-"]),
            (["-s", "--", "-sS"], ["-s", "--", "-sS"]), (["-o"], ["-o"]), (["bench", "-n20"], ["bench", "-n", "20"]),
            (["--fail", "http://h/"], ["--fail", "http://h/"]), (["-C", "-", "-OJ"], ["-C", "-", "-O", "-J"]),
        ] as [([String], [String])])
    func `short options that are written together are separated`(words: [String], separated: [String]) {
        #expect(CommandWords.separated(words) == separated)
    }

    @Test(
        arguments: [
            (["-u", "a:b"], [(1, 0)]), (["-ua:b"], [(0, 2)]), (["-sSua:b"], [(0, 4)]), (["-sSu", "a:b"], [(1, 0)]),
            (["--user=a:b"], [(0, 7)]), (["--bearer", "t", "-U", "a:b"], [(1, 0), (3, 0)]),
            (["--pass", "-u", "x"], [(1, 0)]), (["-d", "-u", "x"], []), (["--data", "-ux"], []), (["-ou", "x"], []),
            (["--", "-u", "a:b"], []), (["-u"], []), (["bench", "-n", "-u", "-ux"], [(3, 2)]), (["-", "a"], []),
        ] as [([String], [(Int, Int)])])
    func `secrets of the command line are found`(words: [String], places: [(Int, Int)]) {
        #expect(SecretWords.places(words) == places.map { SecretWords.Place(word: $0.0, offset: $0.1) })
    }

    @Test
    func `a field may be omitted or empty`() throws {
        var lines = FieldLines()
        for line in ["X-A: b;c", "X-B:", "X-C;", "X-D:\te"] { try lines.add(line) }
        #expect(lines.headers.map { "\($0.name)=\($0.value)" } == ["X-A=b;c", "X-C=", "X-D=e"])
        #expect(lines.omitted == ["x-b"])
        for line in ["no field", ": b", "X-A; b", "Content-Length:"] {
            #expect(throws: UsageFault.self) { try lines.add(line) }
        }
    }

    @Test
    func `ranges and offsets are curl's`() throws {
        #expect(try RangeArgument("0-99").field == "bytes=0-99")
        #expect(try RangeArgument("-5").field == "bytes=-5")
        #expect(try RangeArgument("7").field == "bytes=7-")
        #expect(try RangeArgument("0-1,4-").field == "bytes=0-1,4-")
        for text in ["", "-", "a", "1-b", "0-1,"] {
            #expect(throws: UsageFault.self) { try RangeArgument(text) }
        }
        #expect(try ContinueArgument("-") == .file && ContinueArgument("5") == .offset(5))
        #expect(throws: UsageFault.self) { try ContinueArgument("-5") }
    }

    @Test(
        arguments: [
            (206, "bytes 5-9/10", .append), (206, "bytes 5-9/*", .append), (416, "bytes */5", .complete),
            (404, nil, .failed), (500, "bytes 5-9/10", .failed),
        ] as [(Int, String?, RestAnswer)])
    func `an answer continues a file, or says that it is complete`(status: Int, range: String?, answer: RestAnswer) {
        #expect(RestAnswer(offset: 5, status: status, contentRange: range) == answer)
    }

    @Test(
        arguments: [
            (200, nil), (206, "bytes 4-9/10"), (206, nil), (206, "items 5-9/10"), (416, "bytes */9"), (416, nil),
        ] as [(Int, String?)])
    func `no other answer continues a file`(status: Int, range: String?) {
        guard case .refused = RestAnswer(offset: 5, status: status, contentRange: range) else {
            Issue.record("\(status) \(range ?? "") was accepted")
            return
        }
    }

    @Test
    func `credentials of a proxy are encoded into its URL`() throws {
        func url(_ url: String, _ user: String) throws -> String {
            try ProxyArgument(url, user: user, exceptions: nil).url
        }
        #expect(try url("http://proxy:3128", "ada:p@w:x") == "http://ada:p%40w%3Ax@proxy:3128")
        #expect(try url("proxy:3128", "ada:pw") == "http://ada:pw@proxy:3128")
        #expect(try url("socks5h://old:one@proxy", "ada:pw") == "socks5h://ada:pw@proxy")
        #expect(throws: UsageFault.self) { try url("http://proxy", "ada") }
    }

    @Test
    func `exceptions of a proxy are names with all below them`() throws {
        let proxy = try ProxyArgument("http://proxy", user: nil, exceptions: "example.com, .internal,192.0.2.1")
        for host in ["example.com", "a.EXAMPLE.com", "x.internal", "192.0.2.1"] { #expect(proxy.isException(host)) }
        for host in ["badexample.com", "example.org", "192.0.2.11"] { #expect(!proxy.isException(host)) }
        #expect(try !ProxyArgument("http://proxy", user: nil, exceptions: nil).hasExceptions)
        #expect(try ProxyArgument("http://proxy", user: nil, exceptions: "[::1]").isException("::1"))
        #expect(throws: UsageFault.self) { try ProxyArgument("http://proxy", user: nil, exceptions: "10.0.0.0/8") }
    }
}
