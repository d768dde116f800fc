import Sockeye
import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting

/// Ends file uploads in every way, and counts descriptors.
enum FileEnds {
    private enum End: String, CaseIterable {
        case whole, refused, reset, cancelled, shrunk, vanished, replaced
    }

    static func run() async throws {
        try await rounds()
        let before = DescriptorCount.current()
        for _ in 0..<5 { try await rounds() }
        let after = try await DescriptorCount.settle(atMost: before)
        try demand(after <= before, "\(after) descriptors, \(before) before")
    }

    private static func rounds() async throws {
        for isForm in [false, true] {
            try await round(tls: nil, isForm: isForm)
            try await round(tls: try Credentials.server(), isForm: isForm)
        }
    }

    /// Returns the file as a body, or a form of unknown length with the file twice.
    private static func body(_ file: SentFile, isForm: Bool) throws -> OutgoingRequest.Body {
        guard isForm else { return try file.body() }
        var form = MultipartForm()
        for name in ["a", "b"] { try form.file(name, at: file.path) }
        return try form.body().trailers { [:] }
    }

    private static func round(tls: TLSServerContext?, isForm: Bool) async throws {
        for end in End.allCases {
            let file = try SentFile(count: 30 << 20)
            let reached = TestSignal()
            let server = try FaultServer(tls: tls) { peer in
                _ = try await peer.connection.read(through: "\r\n\r\n")
                _ = try await peer.connection.read(exactly: 300_000)
                if end == .refused {
                    try await peer.connection.write("HTTP/1.1 400 No\r\nContent-Length: 0\r\n\r\n")
                }
                if end == .reset { return peer.connection.reset() }
                if end == .shrunk { try file.resize(to: 0) }
                if end == .whole {
                    var left = (30 << 20) - 300_000
                    while left > 0, let piece = try await peer.connection.read() { left -= piece.count }
                    try await peer.connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                }
                reached.fire()
                if end == .cancelled { try await TestSignal().wait() }
                try await peer.connection.discardToEnd()
            }
            let client = HTTPClient(configuration: try Credentials.configuration())
            let body = try body(file, isForm: isForm)
            if end == .vanished { try file.remove() }
            if end == .replaced { try file.becomeAnother() }
            let upload = Task { try await client.put(server.url(), .body(body)).bytes() }
            if end == .cancelled {
                try await reached.wait()
                upload.cancel()
            }
            let result = await upload.result
            let isSuccess = (try? result.get()) != nil
            let isExpected = isSuccess == (end == .whole || end == .refused)
            try demand(isExpected, "\(end), \(isForm ? "form" : "file"): \(result)")
            let pool = client.pool?.statistics
            try demand(pool?.leased == 0, "a pool at rest after \(end)")
        }
    }
}
