import Foundation
import Sockeye
import SockeyePropertyLists
import SockeyeTesting
import Testing

@Suite("Statuses that mean nil", .timeLimit(.minutes(1)))
struct NilStatusTests {
    private let ada = User(name: "Ada", age: 36)

    private func client(_ status: Int) -> HTTPClient {
        HTTPClient(
            transport: MockTransport { request in
                status == 200 ? .json(User(name: "Ada", age: 36)) : .text("gone: \(request.path)", status: status)
            })
    }

    @Test(
        "a typed call returns nil for the given statuses, and behaves as usual for others",
        arguments: [200, 404, 410, 500])
    func typed(status: Int) async throws {
        let client = client(status)
        func user() async throws(SockeyeError) -> User? {
            try await client.get("http://a.test/users/\(status)", as: User.self, nilFor: [.notFound, 410])
        }
        switch status {
        case 200: #expect(try await user() == ada)
        case 404, 410: #expect(try await user() == nil)
        default:
            let error = await #expect(throws: SockeyeError.self) { try await user() }
            #expect(error?.code == .unacceptableStatus && error?.response?.status == .internalServerError)
        }
    }

    @Test("the given statuses are nil with any method, content and serializer")
    func others() async throws {
        let absent = client(404)
        let changed = try await absent.request(
            .put, "http://a.test/", .json(ada), as: User.self, nilFor: [.notFound])
        #expect(changed == nil)
        #expect(try await absent.post("http://a.test/", .json(ada), as: .text.nilFor([.notFound])) == nil)
        #expect(try await absent.delete("http://a.test/", as: .json(User.self).nilFor([.notFound])) == nil)
        #expect(try await client(200).get("http://a.test/", as: .json(User.self).nilFor([.notFound])) == ada)
        await #expect(throws: SockeyeError.self) {
            try await absent.get("http://a.test/", as: User.self, nilFor: [.gone])
        }
    }

    @Test("a nil status works with the decoder of the scope and its Accept field")
    func decoder() async throws {
        let mock = MockTransport { request in
            request.path == "/absent" ? .status(404) : .text("{}", headers: [.contentType: "application/x-plist"])
        }
        let api = HTTPClient(transport: mock).scoped(baseURL: "http://a.test/", decoder: .propertyList)
        #expect(try await api.get("absent", as: User.self, nilFor: [.notFound]) == nil)
        #expect(mock.requests.last?["Accept"] == "application/x-plist")
        let error = await #expect(throws: SockeyeError.self) {
            try await api.get("there", as: User.self, nilFor: [.notFound])
        }
        #expect(error?.code == .decodingFailed)
    }

    @Test("the connection of a response with a nil status is reused")
    func reuse() async throws {
        try await withTestServer {
            $0.path == "/a" ? .text("absent", status: 404) : .json(["name": "Ada", "age": "36"])
        } run: { server in
            let client = HTTPClient()
            for _ in 0..<3 {
                let user = try await client.get(server.url("/a"), as: User.self, nilFor: [.notFound])
                #expect(user == nil)
            }
            #expect(server.activity.requests == 3 && server.activity.connections == 1)
        }
    }
}
