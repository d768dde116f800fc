import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// The echo server.
enum NIOEcho {
    static func serve() async throws {
        let upgrader = NIOWebSocketServerUpgrader(
            maxFrameSize: 1 << 24,
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(EchoHandler()) }
            })
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.pipeline.configureHTTPServerPipeline(
                    withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
            }
            .bind(host: "127.0.0.1", port: 0).get()
        print(server.localAddress?.port ?? 0)
        fflushOutput()
        try await server.closeFuture.get()
    }
}

private final class EchoHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .binary, .text, .connectionClose:
            let back = WebSocketFrame(fin: frame.fin, opcode: frame.opcode, data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(back), promise: nil)
            if frame.opcode == .connectionClose { context.close(promise: nil) }
        default: break
        }
    }
}

/// A client with NIO's WebSocket handlers: everything runs on the event loop, without tasks.
enum NIOLoad {
    static func run(_ load: Load) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<load.connections { group.addTask { try await connection(load) } }
            return try await group.reduce(0, +)
        }
    }

    private static func connection(_ load: Load) async throws -> Int {
        let group = MultiThreadedEventLoopGroup.singleton
        let upgraded = try await ClientBootstrap(group: group)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: load.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let upgrader = NIOTypedWebSocketClientUpgrader<EventLoopFuture<Int>>(
                        maxFrameSize: 1 << 24,
                        upgradePipelineHandler: { channel, _ in
                            channel.eventLoop.makeCompletedFuture {
                                let handler = LoadHandler(load, channel)
                                try channel.pipeline.syncOperations.addHandler(handler)
                                return handler.count.futureResult
                            }
                        })
                    let head = HTTPRequestHead(
                        version: .http1_1, method: .GET, uri: "/",
                        headers: ["Host": "127.0.0.1", "Content-Length": "0"])
                    let upgrade = NIOTypedHTTPClientUpgradeConfiguration(
                        upgradeRequestHead: head, upgraders: [upgrader],
                        notUpgradingCompletionHandler: { $0.eventLoop.makeFailedFuture(BadUse()) })
                    return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
                        configuration: .init(upgradeConfiguration: upgrade))
                }
            }
        return try await upgraded.get().get()
    }
}

private final class LoadHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    let count: EventLoopPromise<Int>
    private let payload: ByteBuffer
    private let end: NIODeadline
    private var echoes = 0

    init(_ load: Load, _ channel: any Channel) {
        count = channel.eventLoop.makePromise()
        payload = ByteBuffer(repeating: 7, count: load.size)
        end = .now() + .milliseconds(Int64(load.seconds * 1000))
    }

    /// Sends the first message later, because writes before the end of the upgrade are not sent.
    func handlerAdded(context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().execute { self.send(context) }
    }

    private func send(_ context: ChannelHandlerContext) {
        let frame = WebSocketFrame(fin: true, opcode: .binary, maskKey: .random(), data: payload)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard frame.opcode == .binary, frame.length == payload.readableBytes else { return }
        echoes += 1
        guard NIODeadline.now() < end else {
            count.succeed(echoes)
            context.close(promise: nil)
            return
        }
        send(context)
    }
}
