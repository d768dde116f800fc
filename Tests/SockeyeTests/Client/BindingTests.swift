import Foundation
import Glibc
import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Local addresses, interfaces, and the order in which the addresses of a name are tried.
@Suite("Local addresses, interfaces and address order of connections", .timeLimit(.minutes(1)))
struct BindingTests {
    private func client(_ change: (inout HTTPClient.Configuration) -> Void) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        change(&configuration)
        return HTTPClient(configuration: configuration)
    }

    private func literal(_ text: String) throws -> EndpointAddress {
        try #require(EndpointAddress(literal: text, port: 0))
    }

    @Test("each address family can have its own local address")
    func families() async throws {
        try await withTestServer { request in
            .ok(request.peerAddress?.with(port: 0)?.description ?? "-")
        } run: { server in
            let addresses = [try literal("::1"), try literal("127.0.0.9"), try literal("127.0.0.10")]
            let text = try await client { $0.socket.localAddresses = addresses }.get(server.url()).text()
            #expect(text == "127.0.0.9:0")
            let one = client { $0.socket.localAddress = addresses[2] }
            let text2 = try await one.get(server.url()).text()
            #expect(text2 == "127.0.0.10:0")
        }
    }

    @Test("a client with local addresses does not connect to addresses of another family")
    func missingFamily() async throws {
        try await withTestServer { _ in
            .ok()
        } run: { server in
            let other = try literal("::1")
            let error = await #expect(throws: SockeyeError.self) {
                try await client { $0.socket.localAddresses = [other] }.get(server.url())
            }
            #expect(error?.code == .connectFailed && error?.message.contains("family") == true)
        }
    }

    @Test(
        "a host override applies to the same host in another spelling",
        arguments: [
            ("bücher.example", "xn--bcher-kva.example"), ("xn--bcher-kva.example", "BÜCHER.example"),
            ("api.example.com", "api.example.com."), ("Api.Example.com.", "api.example.com"),
            ("[2001:0db8::1]", "[2001:db8:0::1]"), ("2001:0DB8::1", "[2001:db8::1]"),
        ])
    func overriddenHosts(key: String, host: String) async throws {
        try await withTestServer { _ in
            .ok("x")
        } run: { server in
            // Without the port an IPv6 address needs no brackets.
            let key = key.hasPrefix("2") ? key : "\(key):\(server.port)"
            let client = client { $0.hostOverrides = [key: [server.address]] }
            let text = try await client.get("http://\(host):\(server.port)/").text()
            #expect(text == "x")
        }
    }

    @Test("a client can bind its connections to an interface", .needs(.interfaceBinding))
    func loopback() async throws {
        try await withTestServer { _ in
            .ok("x")
        } run: { server in
            do throws(SockeyeError) {
                let text = try await client { $0.socket.interface = "lo" }.get(server.url()).text()
                #expect(text == "x")
            } catch {
                // Binding needs privileges before Linux 5.7 and in some containers.
                try #require(error.message.contains("Operation not permitted"))
                print("Binding to an interface is skipped: \(error.message)")
            }
        }
    }

    @Test(
        "the error names an interface that does not exist",
        arguments: ["sockeye-none", "", "a-name-that-is-longer-than-there-can-be", "a\0b"])
    func noInterface(name: String) async throws {
        try await withTestServer { _ in
            .ok()
        } run: { server in
            let error = await #expect(throws: SockeyeError.self) {
                try await client { $0.socket.interface = name }.get(server.url())
            }
            #expect(error?.code == .connectFailed && error?.blame == .caller)
            #expect(error?.message.contains("interface '\(name.replacing("\0", with: #"\u{0}"#))'") == true)
        }
    }

    @Test("a bound interface does not apply to a unix-domain socket")
    func unix() async throws {
        let path = NSTemporaryDirectory() + "sockeye-\(UUID().uuidString.prefix(8)).sock"
        try await withTestServer(on: .unix(path)) { _ in
            .ok("x")
        } run: { _ in
            let client = client { $0.socket.interface = "sockeye-none" }
            let text = try await client.scoped(unixSocketPath: path).get("http://localhost/").text()
            #expect(text == "x")
        }
    }

    @Test(
        "a socket bound to another interface does not reach the loopback address", .needs(.interfaceBinding),
        .enabled(if: NetworkNamespace.obstacle == nil, "network namespaces cannot be made here"))
    func namespace() async throws {
        let namespace = try NetworkNamespace()
        try namespace.ip(
            "link set lo up", "link add veth7 type veth peer name veth8", "addr add 10.99.0.1/24 dev veth7",
            "link set veth7 up", "link set veth8 up")
        try await namespace.inside {
            let address = try #require(EndpointAddress(literal: "127.0.0.1", port: 0))
            let listener = SystemSocket.open(for: address.system)
            defer { SystemSocket.close(listener) }
            #expect(SystemSocket.bind(listener, to: address.system) == nil)
            #expect(SystemSocket.listen(listener, backlog: 8) == nil)
            let place = try #require(SystemSocket.localAddress(listener))
            for (interface, isReached) in [("lo", true), ("veth7", false)] {
                let socket = SystemSocket.open(for: place)
                defer { SystemSocket.close(socket) }
                #expect(SystemSocket.bind(socket, toInterface: interface) == nil)
                var name = [CChar](repeating: 0, count: 16)
                var size = socklen_t(name.count)
                let result = unsafe getsockopt(socket, SOL_SOCKET, SO_BINDTODEVICE, &name, &size)
                #expect(result == 0)
                #expect(String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self) == interface)
                let error = SystemSocket.connect(socket, to: place)
                // Through veth7 the attempt stays in progress indefinitely or is refused at once.
                let arrives = error == nil || error == .inProgress && SystemSocket.peerAddress(socket) != nil
                #expect(arrives == isReached)
            }
        }
    }

    @Test("with shuffled addresses, many clients with one connection each spread over the addresses of a name")
    func shuffled() async throws {
        struct Many: NameResolver {
            func resolve(_ host: String, port: Int) async throws -> [EndpointAddress] {
                (2...9).compactMap { EndpointAddress(literal: "127.0.0.\($0)", port: port) }
            }
        }
        let server = try await TestServer.start(on: .address(literal("0.0.0.0"))) { _ in .ok("x") }
        var seen: Set<String> = []
        for _ in 0..<64 {
            let monitor = ConnectionMonitor()
            let client = client {
                $0.resolver = Many()
                $0.addressOrder = .shuffled
                $0.monitors = [monitor]
            }
            _ = try await client.get("http://many.test:\(server.port)/").text()
            seen.formUnion(monitor.addresses.values)
        }
        // Usually the clients use all eight addresses. About one run in a thousand misses an address.
        #expect(seen.count >= 7)
        await server.stop()
    }

    private final class ConnectionMonitor: EventMonitor {
        let addresses = Recorder<String>()

        func handle(_ event: ClientEvent) {
            guard case .exchangeConnected(let exchange) = event else { return }
            if let address = exchange.metrics.connection?.remoteAddress { addresses.append(address) }
        }
    }
}
