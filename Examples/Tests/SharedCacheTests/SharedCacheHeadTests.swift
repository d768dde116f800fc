import SockeyeCache
import SockeyeTesting
import Testing

@testable import SharedCache

@Suite("Heads in a shared cache")
struct SharedCacheHeadTests {
    static let head = """
        {"id":"a","status":200,"reason":"OK","headers":[],"requestTime":0,"responseTime":0,"age":0,"bodyLength":0,\
        "partition":"","selectingFields":{},"wasDecodable":true,"isDecoded":false}
        """

    @Test("a valid row becomes a response")
    func intact() {
        let response = ValkeyCacheStore.response(id: Bytes("a"), head: Bytes(Self.head))
        #expect(response?.id == "a" && response?.status == 200)
    }

    @Test(
        "a damaged row is a miss",
        arguments: [
            "", "null", "{}", String(head.dropLast()), head.replacing("200", with: "2e999"),
            head.replacing(#""id":"a""#, with: #""id":"b""#),
            head.replacing("[]", with: #"[{"name":"a b","value":""}]"#),
            String(repeating: "[", count: 100_000),
            String(head.dropLast()) + #","x":"# + String(repeating: "[", count: 100_000),
        ])
    func damaged(head: String) {
        #expect(ValkeyCacheStore.response(id: Bytes("a"), head: Bytes(head)) == nil)
    }
}
