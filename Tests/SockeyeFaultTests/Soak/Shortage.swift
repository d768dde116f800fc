import Glibc
import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting

/// A process that may have no more descriptors than are open, so that each new descriptor has to replace another one.
/// In one test it may have no descriptors at all.
enum Shortage {
    /// Keeps the shortage brief, because libdispatch checks its threads once a second and ends a process that cannot
    /// open a file then.
    static func run() async throws {
        let server = try SeparateServer()
        let client = HTTPClient()
        // One connection to each of five origins.
        for host in 1...5 { try await ask(client, server.url(host)) }
        let other = HTTPClient()
        let limit = try Limit()
        for host in 6...8 { try await ask(client, server.url(host)) }
        let name = await error(of: other, "http://no-such-name.invalid/", OutgoingRequest.Options())
        let file = await error { _ = try OutgoingRequest.Body.file("/etc/hostname") }
        limit.restore()
        try demand(client.pool?.statistics.closed.evicted == 3, "three closed idle connections")
        try demand(
            name?.code == .outOfResources && name?.phase == .resolve,
            "a shortage as the error of the look-up, not \(String(describing: name))")
        try demand(
            file?.code == .outOfResources,
            "a shortage as the error of the file to send, not \(String(describing: file))")
    }

    private static func ask(_ client: HTTPClient, _ url: String) async throws {
        let text = try await client.get(url).text()
        try demand(text == "ok", "an answer from \(url)")
    }

    /// Clients and shared resources that were created without a descriptor must work once descriptors are available.
    static func beginning() async throws {
        let limit = try Limit(total: 0)
        let clients = [HTTPClient(), HTTPClient(configuration: ownPoller)]
        for client in clients {
            let error = await error(of: client, "http://127.0.0.1:9/", OutgoingRequest.Options())
            try demand(error?.code == .outOfResources, "an error without a poller: \(String(describing: error))")
        }
        limit.restore()
        let server = try await TestServer.start { _ in .ok("ok") }
        for client in clients { try await ask(client, server.url()) }
    }

    /// The system's roots are read on first use. A failure to read them must not be cached.
    static func roots() async throws {
        let server = try SeparateServer()
        let client = HTTPClient()
        try await ask(client, server.url(1))
        await client.pool?.closeIdle()
        // A descriptor that closes after the limit is set would be a second spare one.
        _ = await settled { DescriptorCount.current() }
        let limit = try Limit(spare: 1)
        let url = "https://127.0.0.1:\(server.port)/"
        let failed = await error(of: client, url, OutgoingRequest.Options())
        try demand(
            failed?.code == .outOfResources && failed?.phase == .tls,
            "a shortage as the error of the roots, not \(String(describing: failed))")
        limit.restore()
        let other = await error(of: client, url, OutgoingRequest.Options())
        try demand(other?.code == .tlsFailed, "tlsFailed from a server without TLS, not \(String(describing: other))")
    }

    private static var ownPoller: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.pollerThreads = 1
        return configuration
    }

    private static func error(of client: HTTPClient, _ url: String, _ options: OutgoingRequest.Options) async
        -> SockeyeError?
    {
        await error { _ = try await client.get(url, options: options) }
    }

    private static func error(_ body: () async throws -> Void) async -> SockeyeError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? SockeyeError
        }
    }

    /// Limits the process to the descriptors that it has open.
    struct Limit {
        private let before: rlimit
        private let fillers: [Int32]

        /// Sets the limit.
        ///
        /// - Parameters:
        ///   - spare: The number of additional descriptors.
        ///   - total: A fixed limit, which ignores the open descriptors.
        init(spare: Int = 0, total: Int? = nil) throws {
            var before = rlimit()
            unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before)
            self.before = before
            var fillers: [Int32] = []
            if total == nil {
                // Every number below the new limit is taken.
                while true {
                    let number = dup(0)
                    guard number >= 0, number < 200 else {
                        close(number)
                        break
                    }
                    fillers.append(number)
                }
            }
            var lowered = rlimit(rlim_cur: rlim_t(total ?? 200), rlim_max: before.rlim_max)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &lowered)
            // The lowest numbers are freed, because the highest ones are the reserve that the library does not use.
            for number in fillers.prefix(spare) { close(number) }
            self.fillers = Array(fillers.dropFirst(spare))
        }

        func restore() {
            var limit = before
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            for number in fillers { close(number) }
        }
    }
}
