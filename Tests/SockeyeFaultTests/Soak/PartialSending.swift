import Glibc
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting

/// Sends a file to peers that close during the transfer, so that some calls send a part of it and also raise SIGPIPE.
enum PartialSending {
    static func run() async throws {
        let content = try SentFile(count: 4 << 20)
        let file = unsafe open(content.path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let poller = try EventPoller()
        guard let address = EndpointAddress(unixPath: "\(content.path).socket") else { throw UnmetCondition("a path") }
        let listener = try Listener(address: address, poller: poller)
        defer {
            listener.close()
            unsafe unlink("\(content.path).socket")
        }
        var parts = 0
        for _ in 0..<2000 {
            let stream = try await SocketStream.connect(to: address, poller: poller, until: .distantFuture)
            let peer = try await listener.accept()
            let closing = Task.detached {
                while peer.hasNothing { sched_yield() }
                peer.close()
            }
            let sent = stream.write(file: file, from: 0, count: content.count)
            if case .bytes(let count)? = sent, count < content.count { parts += 1 }
            await closing.value
            stream.close()
        }
        ChildProcess.say("\(parts) of 2000 files were sent in part, and none ended the process")
    }
}

extension SocketStream {
    /// True if no byte is available. If one is available, it is consumed.
    fileprivate var hasNothing: Bool {
        var bytes = [UInt8](repeating: 0, count: 1)
        return unsafe bytes.withUnsafeMutableBytes { buffer in
            if case .wouldBlock = unsafe read(into: buffer) { true } else { false }
        }
    }
}
