import SockeyePlatform
import SockeyeTestSupport
import Testing

@Suite("Queries for routes and their changes", .needs(.routes), .timeLimit(.minutes(1)))
struct RouteSourceTests {
    @Test("packets to this machine leave by the loopback interface")
    func loopback() throws {
        let socket = RouteSocket.open(listening: false)
        try #require(socket >= 0)
        defer { SystemSocket.close(socket) }
        var source = RouteSource(asking: socket)
        for last: UInt32 in [1, 2, 3] {
            #expect(source.interface(to: .ipv4((0x7F00_0000 | last).bigEndian, port: 0)) == .loopback)
        }
        #expect(source.interface(to: .unix("/a")) == nil, "a path has no route")
    }

    @Test("a query over a socket that is not open gets no answer")
    func closed() {
        var source = RouteSource(asking: -1)
        #expect(source.interface(to: .ipv4(UInt32(0x7F00_0001).bigEndian, port: 0)) == nil)
    }

    @Test("a new listening socket reports no changes, and a socket that is not open an error")
    func changes() throws {
        let socket = RouteSocket.open(listening: true)
        try #require(socket >= 0)
        defer { SystemSocket.close(socket) }
        #expect(RouteSocket.readChanges(socket) == .nothing)
        #expect(RouteSocket.readChanges(-1) == .failed(.badDescriptor))
    }
}
