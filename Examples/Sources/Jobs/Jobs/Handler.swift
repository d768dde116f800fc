import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Sockeye
import SockeyeService
import SockeyeTesting
import UnixSignals

// snippet.show
func photoService(
    upstream: String, port: Int, logger: Logger,
    onPort: @escaping @Sendable (Int) -> Void = { _ in }
) -> ServiceGroup {
    let client = HTTPClient().scoped(baseURL: upstream)
    let router = Router()
    router.post("photos") { request, _ in
        let photo = HTTPClient.Content.stream(
            request.body.map(\.readableBytesView))
        let answer = try await client.post(
            "photos", photo, headers: Headers(request.headers))
        let body = ResponseBody { writer in
            for try await chunk in answer.body {
                try await writer.write(ByteBuffer(bytes: chunk))
            }
            try await writer.finish(nil)
        }
        return Response(
            status: answer.status, headers: HTTPFields(answer.headers),
            body: body)
    }
    let server = Application(
        router: router,
        configuration: .init(address: .hostname("127.0.0.1", port: port)),
        onServerRunning: { onPort($0.localAddress?.port ?? 0) }, logger: logger)
    return ServiceGroup(
        services: [client.service(), server],
        gracefulShutdownSignals: [.sigterm], logger: logger)
}
// snippet.hide

extension Job {
    static let handler = Job("A Hummingbird handler that passes fields and bodies on, in a service group") {
        try await withTestServer { request in
            .stream(
                request.body,
                headers: ["Content-Type": request[.contentType] ?? "none", "X-Album": request["X-Album"] ?? "none"])
        } run: { upstream in
            let logger = Logger(label: "jobs") { _ in SwiftLogNoOpLogHandler() }
            let (ports, port) = AsyncStream.makeStream(of: Int.self)
            let group = photoService(upstream: upstream.url(), port: 0, logger: logger) { port.yield($0) }
            async let end: Void = group.run()
            var iterator = ports.makeAsyncIterator()
            guard let port = await iterator.next() else { throw Unexpected("no port") }
            let photo = TestPattern.bytes(at: 0, upTo: 200_000)
            let answer = try await HTTPClient().post(
                "http://127.0.0.1:\(port)/photos", .bytes(photo, contentType: "image/jpeg"),
                headers: ["X-Album": "coast"])
            let isSame = try await answer.bytes() == photo
            await group.triggerGracefulShutdown()
            try await end
            let (type, album) = (answer[.contentType] ?? "none", answer["X-Album"] ?? "none")
            return "\(type) of \(album), the same: \(isSame), ended in order"
        }
    }
}
