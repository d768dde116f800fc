import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import Testing

@Suite("Route monitor", .timeLimit(.minutes(1)))
struct RouteMonitorTests {
    @Test("the kernel reports the loopback interface as the route to this machine", .needs(.routes))
    func loopback() throws {
        let monitor = try RouteMonitor(poller: try EventPoller.shared())
        for literal in ["127.0.0.1", "127.8.8.8"] {
            #expect(monitor.interface(to: try #require(EndpointAddress(literal: literal, port: 0))) == .loopback)
        }
        #expect(monitor.interface(to: try #require(EndpointAddress(unixPath: "/a"))) == .loopback)
    }

    @Test(
        "on a system that reports no routes, creating a monitor fails",
        .enabled(if: !SystemFeature.routes.isSupported, "this system reports routes"))
    func missing() {
        #expect(throws: TransportError.system(call: .socket, error: .notSupported)) {
            try RouteMonitor(poller: try EventPoller.shared())
        }
    }
}
