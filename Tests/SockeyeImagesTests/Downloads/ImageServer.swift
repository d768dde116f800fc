#if Images
import SockeyeImages
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

/// An image server that records requests, and can hold its answers back until the test releases them.
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

    /// - Parameter holds: If true, a path is answered only after its ``release(_:)``.
    init(holds: Bool = false) {
        self.holds = holds
    }

    /// The requested paths, in order.
    var paths: [String] { state.withLock(\.paths) }
    /// The largest number of requests that were being answered at once.
    var mostActive: Int { state.withLock(\.mostActive) }
    var active: Int { state.withLock(\.active) }

    func run(_ body: (_ server: TestServer) async throws -> Void) async throws {
        try await withTestServer { request in
            try await self.answer(request)
        } run: { server in
            try await body(server)
            // Requests whose clients went away are not failures.
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

    /// Answers the waiting and all later requests for a path.
    func release(_ path: String) {
        let signals = state.withLock { state in
            state.released.insert(path)
            return state.waiting.removeValue(forKey: path) ?? []
        }
        for signal in signals { signal.fire() }
    }

    /// Waits for this total number of requests.
    func awaitRequests(_ count: Int) async {
        await eventually("\(count) requests") { self.paths.count >= count }
    }
}

/// Expects that a receipt gives an image from this source and of this width.
func expect(
    _ receipt: ImageDownloader.Receipt, source: ImageDownloader.Image.Source? = nil, width: Int? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let image = try await receipt.value
    #expect(source == nil || image.source == source, sourceLocation: sourceLocation)
    #expect(width == nil || image.raster.width == width, sourceLocation: sourceLocation)
}
#endif
