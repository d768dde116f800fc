import SockeyeHTTP
import SockeyeWebSocket
import Testing

@Suite("The results of the opening handshake")
struct NegotiationTests {
    // MARK: RFC 6455 4.1

    @Test("the fields and the agreement match the RFC's own example")
    func accept() throws {
        #expect(OpeningHandshake.accept(for: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        let handshake = OpeningHandshake(key: "dGhlIHNhbXBsZSBub25jZQ==", subprotocols: ["a", "b"], compression: nil)
        #expect(handshake.fields.map(\.value) == ["13", "dGhlIHNhbXBsZSBub25jZQ==", "a, b"])
        let agreement = try handshake.agreement(
            accept: ["s3pPLMBiTxaQ9kYGzzhZRbK+xOo="], subprotocol: ["b"], extensions: [])
        #expect(agreement == .init(subprotocol: "b"))
    }

    @Test("each connection has a key of 16 random bytes")
    func keys() {
        let keys = Set((0..<100).map { _ in OpeningHandshake.makeKey() })
        #expect(keys.count == 100)
        #expect(keys.allSatisfy(OpeningHandshake.isKey))
        #expect(!OpeningHandshake.isKey("AAAA") && !OpeningHandshake.isKey("no base64"))
    }

    static let refused: [(String, [String], [String], [String], OpeningHandshake.Fault)] = [
        ("no accept", [], [], [], .badAccept),
        ("another key's", ["s3pPLMBiTxaQ9kYGzzhZRbK+xOp="], [], [], .badAccept),
        ("in other case", ["S3PPLMBITXAQ9KYGZZHZRBK+XOO="], [], [], .badAccept),
        ("twice", ["s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="], [], [], .badAccept),
        ("other protocol", ["ok"], ["c"], [], .badSubprotocol),
        ("two protocols", ["ok"], ["a", "b"], [], .badSubprotocol),
        ("a list of protocols", ["ok"], ["a, b"], [], .badSubprotocol),
        ("no protocol's name", ["ok"], [""], [], .badSubprotocol),
        ("unknown extension", ["ok"], [], ["x-webkit-deflate-frame"], .badExtensions),
        ("extension not offered", ["ok"], [], ["permessage-deflate"], .badExtensions),
        ("no extension at all", ["ok"], [], ["=;"], .badExtensions),
    ]

    @Test("an answer beyond the offer is refused", arguments: refused.indices)
    func refusals(index: Int) {
        let (name, accept, subprotocol, extensions, fault) = Self.refused[index]
        let handshake = OpeningHandshake(key: "dGhlIHNhbXBsZSBub25jZQ==", subprotocols: ["a", "b"], compression: nil)
        #expect(throws: fault, "\(name)") {
            _ = try handshake.agreement(
                accept: accept == ["ok"] ? ["s3pPLMBiTxaQ9kYGzzhZRbK+xOo="] : accept, subprotocol: subprotocol,
                extensions: extensions)
        }
    }

    @Test("an answer of 200,000 combining marks is refused in linear time", .timeLimit(.minutes(1)))
    func combiningMarks() {
        let marks = String(repeating: "\u{301}\u{323}", count: 100_000)
        let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        let handshake = OpeningHandshake(key: "dGhlIHNhbXBsZSBub25jZQ==", subprotocols: ["a", "b"], compression: nil)
        #expect(throws: OpeningHandshake.Fault.badAccept) {
            _ = try handshake.agreement(accept: ["s\(marks)"], subprotocol: [], extensions: [])
        }
        #expect(throws: OpeningHandshake.Fault.badSubprotocol) {
            _ = try handshake.agreement(accept: [accept], subprotocol: ["a\(marks)"], extensions: [])
        }
    }

    // MARK: RFC 7692 7.1

    private static func element(_ text: String) throws -> ExtensionElement {
        try #require(ExtensionElement.parse([text])?.first)
    }

    @Test(
        "the answers of servers to an offer are read",
        arguments: [
            ("permessage-deflate", 15, true, 15, true),
            ("permessage-deflate; server_no_context_takeover", 15, true, 15, false),
            ("permessage-deflate; client_no_context_takeover", 15, false, 15, true),
            ("permessage-deflate;server_max_window_bits=10 ; client_max_window_bits=\"9\"", 9, true, 10, true),
            ("permessage-deflate; client_max_window_bits=15; server_max_window_bits=8", 15, true, 8, true),
        ])
    func answers(text: String, clientBits: Int, clientKeeps: Bool, serverBits: Int, serverKeeps: Bool) throws {
        let agreement = try #require(
            DeflateAgreement(answer: Self.element(text), to: DeflateAgreement()))
        #expect(agreement.client == .init(windowBits: clientBits, keepsContext: clientKeeps))
        #expect(agreement.server == .init(windowBits: serverBits, keepsContext: serverKeeps))
    }

    @Test(
        "answers that are malformed or beyond the offer are refused",
        arguments: [
            "permessage-deflate; unknown", "permessage-deflate; server_max_window_bits",
            "permessage-deflate; server_max_window_bits=7", "permessage-deflate; server_max_window_bits=16",
            "permessage-deflate; server_max_window_bits=09", "permessage-deflate; server_max_window_bits=+9",
            "permessage-deflate; client_max_window_bits",
            "permessage-deflate; client_max_window_bits=99999999999999999999",
            "permessage-deflate; server_no_context_takeover=1", "permessage-deflate; client_no_context_takeover=true",
            "permessage-deflate; client_no_context_takeover; client_no_context_takeover", "other",
        ])
    func badAnswers(text: String) throws {
        #expect(DeflateAgreement(answer: try Self.element(text), to: DeflateAgreement()) == nil)
    }

    @Test("a response that does not grant the client's requirements is refused")
    func asked() throws {
        var wanted = DeflateAgreement()
        wanted.server = .init(windowBits: 10, keepsContext: false)
        wanted.client = .init(windowBits: 12, keepsContext: false)
        #expect(
            DeflateAgreement.offer(wanted).text
                == "permessage-deflate; server_no_context_takeover; client_no_context_takeover; "
                + "server_max_window_bits=10; client_max_window_bits=12")
        func agreement(_ text: String) throws -> DeflateAgreement? {
            DeflateAgreement(answer: try Self.element("permessage-deflate" + text), to: wanted)
        }
        #expect(try agreement("") == nil)
        #expect(try agreement("; server_no_context_takeover") == nil)
        #expect(try agreement("; server_no_context_takeover; server_max_window_bits=11") == nil)
        let agreed = try agreement("; server_no_context_takeover; server_max_window_bits=9")
        #expect(agreed?.server == .init(windowBits: 9, keepsContext: false))
        // The client may use less than was agreed.
        #expect(agreed?.client == .init(windowBits: 12, keepsContext: false))
    }

    @Test(
        "a server answers with the first offer that it can accept",
        arguments: [
            ("permessage-deflate", "permessage-deflate"),
            ("permessage-deflate; client_max_window_bits", "permessage-deflate"),
            ("permessage-deflate; bad, permessage-deflate", "permessage-deflate"),
            (
                "permessage-deflate; server_max_window_bits=9; server_no_context_takeover",
                "permessage-deflate; server_no_context_takeover; server_max_window_bits=9"
            ),
            ("permessage-deflate; client_max_window_bits=10", "permessage-deflate; client_max_window_bits=10"),
            ("other, permessage-deflate; server_max_window_bits=99", nil as String?),
        ])
    func accepts(offer: String, answer: String?) throws {
        let offers = try #require(ExtensionElement.parse([offer]))
        let accepted = DeflateAgreement.accepting(offers, wanted: DeflateAgreement())
        #expect(accepted?.answer.text == answer)
        if let accepted {
            var wanted = DeflateAgreement()
            wanted.client.windowBits = 15
            #expect(DeflateAgreement(answer: accepted.answer, to: wanted) != nil)
        }
    }

    @Test(
        "extensions have the grammar of RFC 6455 9.1",
        arguments: [
            "a;", "a; =1", "a; b=", "a; b=\"", "a; b=\"\"", "a; b=\"1 2\"", "a b", "a; b c", "\u{E9}", "; a",
            "a; b=1=2",
        ])
    func grammar(text: String) {
        #expect(ExtensionElement.parse([text]) == nil)
    }
}
