import Sockeye
import SockeyeCore
import SockeyeDNS
import SockeyeEngine
import SockeyeEssentials
import SockeyeNet
import SockeyePlatform
import SockeyeTesting
import SockeyeTransfers

/// Sockets, pollers, files, and complete requests that use them.
enum DescriptorCases {
    struct Unexpected: Error {}

    /// - Parameter folder: The path of a folder for files.
    static func all(folder: String) -> [OwnerCase] {
        [
            OwnerCase("poller") { _ = try EventPoller() },
            OwnerCase("reachability") { _ = try RouteMonitor(poller: EventPoller()) },
            OwnerCase("closed port") { _ = try ClosedPort() },
            OwnerCase("connection") { try await connect() },
            OwnerCase("unix-domain connection") { try await connect(path: folder + "/socket") },
            OwnerCase("file") {
                let file = try FileHandle(opening: folder + "/file", for: .appending)
                _ = try file.status(folder)
            },
            OwnerCase("download") {
                let file = try await DownloadFile.create(beside: folder + "/download")
                try await file.append(Bytes("abc"))
                _ = try await file.move(to: folder + "/download", .replace)
            },
            OwnerCase("request") { try await request(folder: folder) },
        ] + names
    }

    private static func connect(path: String? = nil) async throws {
        if let path { try? FileManager.default.removeItem(atPath: path) }
        let wanted = path.map { EndpointAddress(unixPath: $0) } ?? EndpointAddress(literal: "127.0.0.1", port: 0)
        guard let wanted else { throw Unexpected() }
        let poller = try EventPoller()
        let listener = try Listener(address: wanted, poller: poller)
        defer { listener.close() }
        guard let address = listener.address else { throw Unexpected() }
        var options = SocketOptions()
        options.keepAlive = SocketOptions.KeepAlive()
        let deadline = poller.time.now.advanced(by: .seconds(20))
        let stream = try await SocketStream.connect(to: address, options: options, poller: poller, until: deadline)
        defer { stream.close() }
        let accepted = try await listener.accept()
        accepted.close()
    }

    /// Sends a file in a request, with a new client and a new server.
    private static func request(folder: String) async throws {
        let path = folder + "/sent"
        try Data(repeating: 0x61, count: 100_000).write(to: URL(filePath: path))
        let server = try await TestServer.start { request in .text(try await request.text()) }
        let result: Result<Int, any Error>
        do {
            var options = OutgoingRequest.Options()
            options.timeouts = Timeouts(total: .seconds(20))
            let response = try await HTTPClient().post(server.url("/"), .file(path), options: options)
            result = .success(try await response.bytes().count)
        } catch {
            result = .failure(error)
        }
        await server.stop()
        guard try result.get() == 100_000 else { throw Unexpected() }
    }

    private static var names: [OwnerCase] {
        #if AsyncDNS
        [
            OwnerCase("name server channel") {
                var settings = NameServerChannel.Settings()
                settings.servers = ["127.0.0.1:9"]
                settings.searchDomains = ["example.com"]
                settings.milliseconds = 20
                settings.attempts = 1
                let channel = try NameServerChannel(settings)
                channel.query(for: "www.example.com", as: 1)
                channel.cancelAll()
                for socket in channel.takeEvents().retired { SystemSocket.close(socket) }
            }
        ]
        #else
        []
        #endif
    }
}
