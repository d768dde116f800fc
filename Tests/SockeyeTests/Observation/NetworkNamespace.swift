import Foundation
import Glibc
import SockeyeTestSupport
import Synchronization

/// A new network namespace (ip-netns(8)), with only a loopback interface, which is down. Deleted with its last
/// reference.
final class NetworkNamespace: Sendable {
    let name = "sockeye-\(UUID().uuidString.prefix(8))"

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The reason that no namespace can be made here; nil otherwise. Only root can make a namespace, and not in every
    /// container.
    static let obstacle: String? = {
        do {
            _ = try NetworkNamespace()
            return nil
        } catch {
            return "\(error)"
        }
    }()

    init() throws {
        try Self.run(["netns", "add", name])
    }

    deinit {
        try? Self.run(["netns", "delete", name])
    }

    /// Runs `ip` in the namespace, once for each line.
    func ip(_ lines: String...) throws {
        for line in lines { try Self.run(["-n", name] + line.split(separator: " ").map(String.init)) }
    }

    /// Runs `ip` in the namespace on all lines at once.
    func ip(batch lines: [String]) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: name).path()
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Self.run(["-n", name, "-batch", path])
    }

    private static func run(_ arguments: [String]) throws {
        let command = try ShellCommand("ip " + arguments.map { "'\($0)'" }.joined(separator: " "))
        guard command.status == 0 else {
            throw Failure(description: "ip \(arguments.joined(separator: " ")): \(command.output)")
        }
    }

    /// The number of open netlink sockets of this process. Other descriptors are not counted, because processes that
    /// Foundation starts leave some behind.
    static var openSocketCount: Int {
        (0..<Int32(4096)).count { descriptor in
            var domain: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            return unsafe getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_NETLINK
        }
    }

    /// Calls `body` on a thread inside the namespace. Sockets opened there stay in the namespace.
    func inside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let path = "/var/run/netns/\(name)"
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
                        defer { close(file) }
                        // setns(2), which the module Glibc does not export.
                        guard let symbol = unsafe dlsym(nil, "setns") else { throw Failure(description: "no setns") }
                        typealias Call = @convention(c) (Int32, Int32) -> Int32
                        let setns = unsafe unsafeBitCast(symbol, to: Call.self)
                        guard setns(file, 0) == 0 else { throw Failure(description: "setns: \(errno)") }
                        return try body()
                    })
            }
        }
    }
}
