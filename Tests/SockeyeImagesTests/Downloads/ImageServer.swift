#if Images
import SockeyeImages
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

/// A server of images that counts who asks for what, and answers when it is let.
final class ImageServer: Sendable {
    private struct State {
        var paths: [String] = []
        var active = 0
        var mostActive = 0
        var waiting: [String: [TestSignal]] = [:]
        var released: Set<String> = []
    }

    private let state = Mutex(State())
    private let holds: Bool

    /// - Parameter holds: Whether paths are answered only when they are ``release(_:)``d.
    init(holds: Bool = false) {
        self.holds = holds
    }

    /// What was asked for, in order.
    var paths: [String] { state.withLock(\.paths) }
    /// How many requests were being answered at once, at most.
    var mostActive: Int { state.withLock(\.mostActive) }
    var active: Int { state.withLock(\.active) }

    func run(_ body: (_ server: TestServer) async throws -> Void) async throws {
        try await withTestServer { request in
            try await self.answer(request)
        } run: { server in
            try await body(server)
            // Those whose clients went away are no failures.
            _ = server.takeFailures()
        }
    }

    private func answer(_ request: TestRequest) async throws -> TestServerResponse {
        let path = request.path
        let signal = state.withLock { state -> TestSignal? in
            state.paths.append(path)
            state.active += 1
            state.mostActive = max(state.mostActive, state.active)
            guard holds, !state.released.contains(path) else { return nil }
            let signal = TestSignal()
            state.waiting[path, default: []].append(signal)
            return signal
        }
        defer { state.withLock { $0.active -= 1 } }
        try await signal?.wait()
        if path.hasPrefix("/missing") { return .status(404) }
        if path.hasPrefix("/broken") { return .bytes(Bytes(Samples.png.prefix(40)), contentType: "image/png") }
        if path.hasPrefix("/text") { return .ok("no image") }
        return .bytes(Bytes(Samples.png), contentType: "image/png", headers: ["Cache-Control": "max-age=60"])
    }

    /// Answers a path, now and from now on.
    func release(_ path: String) {
        let signals = state.withLock { state in
            state.released.insert(path)
            return state.waiting.removeValue(forKey: path) ?? []
        }
        for signal in signals { signal.fire() }
    }

    /// Waits until so many requests have come in all.
    func awaitRequests(_ count: Int) async {
        await eventually("\(count) requests") { self.paths.count >= count }
    }
}

/// Expects an image of a receipt, from this source and of this width.
func expect(
    _ receipt: ImageDownloader.Receipt, source: ImageDownloader.Image.Source? = nil, width: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let image = try await receipt.value
    #expect(source == nil || image.source == source, sourceLocation: sourceLocation)
    #expect(width == nil || image.raster.width == width, sourceLocation: sourceLocation)
}
#endif
