import Foundation
import Sockeye
import SockeyeTesting
import Testing

@Suite(
    "nginx: fields", .enabled(if: NginxServer.isInstalled, "\(NginxServer.missing)"), .timeLimit(.minutes(1)))
struct NginxHeaderTests {
    let nginx: NginxServer
    let client: HTTPClient

    init() throws {
        nginx = try NginxServer.shared.get()
        client = nginx.client()
    }

    @Test(
        "the client reads as many and as large fields as the limits allow",
        arguments: [("/many", 190, 10), ("/large", 16, 3900)])
    func readsFields(path: String, count: Int, size: Int) async throws {
        for scheme in NginxServer.Scheme.allCases {
            let response = try await client.get(nginx.url(path, over: scheme))
            for number in 0..<count {
                #expect(response[Headers.Name("X-Field-\(number)")] == String(repeating: "v", count: size))
            }
            #expect(response.headers.count > count)
            #expect(try await !response.bytes().isEmpty)
        }
    }

    @Test(
        "the client refuses fields beyond its limits",
        arguments: [("/too-many", "fieldCount"), ("/too-large", "headBytes")])
    func refusesFields(path: String, limit: String) async throws {
        let client = client
        let url = nginx.url(path)
        let error = await #expect(throws: SockeyeError.self) { try await client.get(url) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.limit?.name == limit)
        #expect(client.pool?.statistics.leased == 0)
    }

    @Test("the client accepts more fields if configured so")
    func raisesLimits() async throws {
        let client = nginx.client {
            $0.limits.fieldCount = 300
            $0.limits.headBytes = 128 << 10
        }
        #expect(try await client.get(nginx.url("/too-many")).text() == "too many")
        #expect(try await client.get(nginx.url("/too-large")).text() == "too large")
    }

    @Test(
        "the client sends large fields, and reads the refusal of too large ones", arguments: NginxServer.Scheme.allCases
    )
    func sendsLargeFields(scheme: NginxServer.Scheme) async throws {
        var headers = Headers()
        for number in 0..<3 { headers.append(Headers.Name("X-Large-\(number)"), String(repeating: "x", count: 8000)) }
        headers["X-Echo"] = "here"
        let accepted = try await client.get(nginx.url("/echo", over: scheme), headers: headers)
        #expect(try await accepted.text() == "GET /echo here")
        for number in 3..<8 { headers.append(Headers.Name("X-Large-\(number)"), String(repeating: "x", count: 8000)) }
        let refused = try await client.get(nginx.url("/echo", over: scheme), headers: headers)
        #expect(refused.status == .badRequest)
        _ = try await refused.bytes()
        #expect(try await client.get(nginx.url("/small", over: scheme)).text() == "small")
    }

    @Test("the client reads the refusal of a target that is too long")
    func sendsLongTarget() async throws {
        let accepted = try await client.get(nginx.url("/echo?" + String(repeating: "q", count: 8000)))
        #expect(try await accepted.text().count > 8000)
        let refused = try await client.get(nginx.url("/echo?" + String(repeating: "q", count: 20_000)))
        #expect(refused.status == .uriTooLong)
    }

    @Test("the client reads a Keep-Alive field, and its next request succeeds")
    func honoursKeepAlive() async throws {
        let response = try await client.get(nginx.url("/announced"))
        #expect(response["Keep-Alive"] == "timeout=1")
        #expect(try await response.text() == "announced")
        #expect(try await client.get(nginx.url("/small")).text() == "small")
    }
}
