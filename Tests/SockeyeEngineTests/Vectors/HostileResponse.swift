import SockeyeHTTP
import SockeyeTestSupport

/// The response of a hostile server, made of parts that each are right or nearly right; and its meaning, if known.
struct HostileResponse {
    enum Meaning: Equatable {
        /// A response with this body.
        case body([UInt8])
        /// A body with a transfer coding besides chunked. The client did not ask for it (TE) and refuses the response.
        case transferCoding
        /// A change to the protocol that the request asks for.
        case protocolSwitch
        /// A fault, or damaged bytes.
        case unknown
    }

    var method = "GET"
    var expectsContinue = false
    var upgrades = false
    private(set) var wire: [UInt8] = []
    private(set) var meaning = Meaning.body([])
    /// True if an interim response is a 101.
    private var switches = false
    /// True if the first 101 comes before a 100 asks for the body that the request holds back.
    private var switchesTooEarly = false
    /// True if an interim response asks for the body that the request holds back.
    private var asksForBody = false

    init(_ random: inout some RandomNumberGenerator) {
        method = random.one(of: ["GET", "GET", "POST", "HEAD", "CONNECT"])
        expectsContinue = method == "POST" && Bool.random(using: &random)
        upgrades = Int.random(in: 0..<8, using: &random) == 0
        for _ in 0..<random.one(of: [0, 0, 0, 1, 3]) { addInterim(&random) }
        let status = random.one(of: [200, 200, 200, 204, 304, 206, 404, 417, 500, 999])
        let version = random.one(of: [1, 1, 1, 0])
        add(
            random.one(of: ["", "", "", "\r\n"])
                + "HTTP/1.\(version) \(status) \(random.one(of: ["OK", "", "a b"]))\r\n")
        var fields = (0..<Int.random(in: 0..<3, using: &random)).map { _ in Self.field(&random) }
        let content = (0..<Int.random(in: 0..<40, using: &random)).map { _ in random.one(of: Self.bytes) }
        let framed = frame(content, version, &fields, &random)
        if Int.random(in: 0..<4, using: &random) == 0 { fields.append(random.one(of: Self.connections)) }
        for field in fields.shuffled(using: &random) { add(field + "\r\n") }
        add("\r\n")
        let isBodiless = method == "HEAD" || status == 204 || status == 304
        if method == "CONNECT", 200..<300 ~= status { meaning = .unknown }
        if isBodiless {
            if meaning != .unknown { meaning = .body([]) }
        } else {
            wire += framed
        }
        // A 101 is a fault if the request does not ask for another protocol, or holds its body back (RFC 9110 7.8).
        if switches { meaning = upgrades && !switchesTooEarly ? .protocolSwitch : .unknown }
        if Int.random(in: 0..<10, using: &random) == 0 { spoil(&random) }
    }

    /// Frames the content in one of several ways and returns the bytes that follow the head.
    private mutating func frame(
        _ content: [UInt8], _ version: Int, _ fields: inout [String], _ random: inout some RandomNumberGenerator
    ) -> [UInt8] {
        meaning = .body(content)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return content
        case 1...3:
            fields.append("Content-Length: \(content.count)")
            return content
        case 4:
            let count = content.count + random.one(of: [-1, 1, 7])
            fields.append("Content-Length: \(count)")
            meaning = count > content.count || count < 0 ? .unknown : .body(Array(content[..<count]))
            return content
        default:
            let coding = random.one(of: ["chunked", "Chunked", "chunked", "gzip, chunked"])
            fields.append("Transfer-Encoding: \(coding)")
            if coding == "gzip, chunked" { meaning = .transferCoding }
            if Int.random(in: 0..<6, using: &random) == 0 { fields.append("Content-Length: 3") }
            if version == 0 { meaning = .unknown }
            return Self.chunked(content, &random)
        }
    }

    private static func chunked(_ content: [UInt8], _ random: inout some RandomNumberGenerator) -> [UInt8] {
        var chunked: [UInt8] = []
        var rest = content[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(Int.random(in: 1...9, using: &random))
            rest = rest.dropFirst(chunk.count)
            let zeros = String(repeating: "0", count: random.one(of: [0, 0, 3]))
            chunked += Array(
                (zeros + String(chunk.count, radix: 16) + random.one(of: ["", "", " ", ";a=b", " ; a"])).utf8)
            chunked += [13, 10] + chunk + [13, 10]
        }
        let trailers = random.one(of: ["", "", "A: b\r\n", "A: b\r\nContent-Length: 1\r\n"])
        return chunked + Array(("0\r\n" + trailers + "\r\n").utf8)
    }

    private mutating func addInterim(_ random: inout some RandomNumberGenerator) {
        let status = random.one(of: [100, 102, 103, 199, 101])
        if status == 100, expectsContinue { asksForBody = true }
        let isSwitch = status == 101 && upgrades
        if status == 101, !switches { (switches, switchesTooEarly) = (true, expectsContinue && !asksForBody) }
        add("HTTP/1.1 \(status) X\r\n" + random.one(of: ["", "Link: </a>\r\n", "Content-Length: 3\r\n"]))
        add(isSwitch ? "Connection: upgrade\r\nUpgrade: upgrade\r\n\r\n" : "\r\n")
    }

    private static func field(_ random: inout some RandomNumberGenerator) -> String {
        let value = random.one(of: ["", "v", "a, b", "\u{E9}", "\u{1}"])
        let fold = random.one(of: ["", "", "", "\r\n folded", " \r\n\t \r\n x: y"])
        return random.one(of: ["X-A", "Server", "Set-Cookie", "Content-Type"]) + ":" + random.one(of: ["", " ", "\t "])
            + value + fold
    }

    /// Damages a byte or a few, after which the meaning is unknown.
    private mutating func spoil(_ random: inout some RandomNumberGenerator) {
        meaning = .unknown
        let index = Int.random(in: 0..<wire.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: wire.remove(at: index)
        case 1: wire[index] = random.one(of: Self.bytes)
        case 2: wire.insert(random.one(of: Self.bytes), at: index)
        case 3: wire.removeSubrange(index...)
        default: wire += wire[index...]
        }
    }

    private mutating func add(_ text: String) { wire += Array(text.utf8) }

    private static let connections = ["Connection: close", "Connection: keep-alive", "Connection: x,\r\n close"]
    private static let bytes: [UInt8] = [0, 9, 10, 13, 32, 44, 48, 58, 59, 72, 97, 127, 128, 255]
}
