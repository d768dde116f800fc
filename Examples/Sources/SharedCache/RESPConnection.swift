import NIOCore
import NIOPosix

/// One connection to a Redis or Valkey server, for any number of tasks: commands are pipelined, and answers come in their
/// order. It is made for the first command, and made again for the next one after it broke.
///
/// No command waits for longer than a second: then the connection is closed, and all that wait on it fail.
actor RESPConnection {
    struct Closed: Error {}
    struct Refused: Error {
        let message: String
    }

    private let address: SocketAddress
    private var opening: Task<any Channel, any Error>?

    init(_ address: SocketAddress) {
        self.address = address
    }

    /// Sends a command and returns its answer; an error that the server answers is thrown.
    func send(_ command: [ByteBuffer]) async throws -> RESPValue {
        let channel = try await channel()
        let answer = channel.eventLoop.makePromise(of: RESPValue.self)
        let deadline = channel.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
        defer { deadline.cancel() }
        channel.writeAndFlush((Self.encode(command), answer), promise: nil)
        let value = try await withTaskCancellationHandler {
            try await answer.futureResult.get()
        } onCancel: {
            // The answer that still comes finds nobody who waits.
            answer.fail(CancellationError())
        }
        if case .failure(let message) = value { throw Refused(message: message) }
        return value
    }

    func close() async {
        try? await opening?.value.close()
    }

    private func channel() async throws -> any Channel {
        if let known = opening {
            if let channel = try? await known.value, channel.isActive { return channel }
            // Unless somebody else has begun anew meanwhile.
            if opening == known { opening = nil }
        }
        return try await (opening ?? connect()).value
    }

    private func connect() -> Task<any Channel, any Error> {
        let address = address
        let task = Task { () async throws -> any Channel in
            try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(.seconds(1))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers(
                            ByteToMessageHandler(RESPDecoder(), maximumBufferSize: 64 << 20), CommandHandler())
                    }
                }
                .connect(to: address).get()
        }
        opening = task
        return task
    }

    /// A command is a list of byte strings.
    private static func encode(_ command: [ByteBuffer]) -> ByteBuffer {
        var buffer = ByteBuffer(string: "*\(command.count)\r\n")
        for part in command {
            buffer.writeString("$\(part.readableBytes)\r\n")
            buffer.writeImmutableBuffer(part)
            buffer.writeString("\r\n")
        }
        return buffer
    }
}

/// Gives each answer to the oldest command that has none.
private final class CommandHandler: ChannelDuplexHandler {
    typealias InboundIn = RESPValue
    typealias OutboundIn = (ByteBuffer, EventLoopPromise<RESPValue>)
    typealias OutboundOut = ByteBuffer

    private var waiting = CircularBuffer<EventLoopPromise<RESPValue>>()

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let (buffer, answer) = unwrapOutboundIn(data)
        waiting.append(answer)
        context.write(wrapOutboundOut(buffer), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let value = unwrapInboundIn(data)
        if waiting.isEmpty { context.close(promise: nil) } else { waiting.removeFirst().succeed(value) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        while let answer = waiting.popFirst() { answer.fail(RESPConnection.Closed()) }
    }
}
