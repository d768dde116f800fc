import SockeyeHTTP
import Testing

@Suite("Fields of redirected requests") struct RedirectedHeadersTests {
    private let headers: Headers = [
        .accept: "*/*", .authorization: "Bearer t", "PROXY-authorization": "Basic x", .cookie: "a=b", .host: "virtual",
        .origin: "https://a.example", .contentType: "text/plain", "content-language": "en", "Content-X": "1",
        .expect: "100-continue", .trailer: "Digest", "X-API-Key": "k", "X-Request-ID": "7",
        "repr-digest": "sha-256=:AA==:", "Digest": "sha-256=AA==", .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
    ]

    private func names(_ headers: Headers) -> [String] { headers.map(\.name.description) }

    @Test("another origin gets no field that was meant for the first one")
    func credentials() {
        let kept = names(headers.withoutCredentials(and: ["x-api-key"]))
        #expect(
            kept == [
                "Accept", "Content-Type", "content-language", "Content-X", "Expect", "Trailer", "X-Request-ID",
                "repr-digest", "Digest", "Last-Modified",
            ])
    }

    @Test("a request without content has no fields that describe content")
    func content() {
        let kept = names(headers.withoutContentFields)
        #expect(
            kept == [
                "Accept", "Authorization", "PROXY-authorization", "Cookie", "Host", "Origin", "X-API-Key",
                "X-Request-ID",
            ])
    }
}
