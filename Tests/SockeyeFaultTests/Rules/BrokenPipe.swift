import Foundation
import Glibc
import SockeyeCore
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport

/// Writes to sockets of closed peers, on a thread that SIGPIPE would kill.
enum BrokenPipe {
    static func run() async throws {
        // A test runner may ignore the signal, and the runtime's threads may block it; this test undoes both.
        signal(SIGPIPE, SIG_DFL)
        let poller = try EventPoller()
        let wanted = EndpointAddress(literal: "127.0.0.1", port: 0)
        let file = try SentFile(count: 10)
        let number = unsafe open(file.path, O_RDONLY | O_CLOEXEC)
        defer { close(number) }
        for way in Way.allCases {
            let listener = try Listener(address: try unwrap(wanted), poller: poller)
            let stream = try await SocketStream.connect(
                to: try unwrap(listener.address), poller: poller, until: .distantFuture)
            let peer = try await listener.accept()
            peer.reset()
            try await stream.wait(for: .read, as: .reader, until: .distantFuture)
            let code = try await onUnblockedThread { write(to: stream, way, file: number) }
            try demand(code == EPIPE, "EPIPE by \(way), not \(code)")
        }
    }

    private enum Way: CaseIterable {
        case bytes, vectors, file
    }

    private static func unwrap(_ address: EndpointAddress?) throws -> EndpointAddress {
        guard let address else { throw UnmetCondition("an address") }
        return address
    }

    /// Returns the code of the failure. The first write may still report the reset itself.
    private static func write(to stream: SocketStream, _ way: Way, file: Int32) -> Int32 {
        let bytes = Bytes("x")
        for _ in 0..<10 {
            let transfer: Transfer? = unsafe bytes.withUnsafeBytes { buffer in
                if way == .file { return stream.write(file: file, from: 0, count: 10) }
                guard way == .vectors else { return unsafe stream.write(buffer) }
                let vector = unsafe IOVector(buffer)
                return unsafe withUnsafePointer(to: vector) { pointer in
                    unsafe stream.write(vectors: UnsafeBufferPointer(start: pointer, count: 1))
                }
            }
            if case .failed(.system(_, .brokenPipe)) = transfer { return EPIPE }
        }
        return 0
    }

    private static func onUnblockedThread(_ body: @escaping @Sendable () -> Int32) async throws -> Int32 {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var signals = sigset_t()
                unsafe sigemptyset(&signals)
                unsafe sigaddset(&signals, SIGPIPE)
                unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                continuation.resume(returning: body())
            }
        }
    }
}
