import NIOCore
import NIOPosix

/// A connection to a Redis or Valkey server for any number of tasks: commands are pipelined, and answers arrive in the
/// same order. It is opened for the first command, and opened again for the next command after it failed.
///
/// An attempt to connect may take a second, and the answer to a command another second. If an answer takes longer, the
/// connection is closed, and all waiting commands fail.
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

    /// Sends a command and returns the answer.
    ///
    /// - Throws: ``Refused`` if the answer is an error.
    func send(_ command: [ByteBuffer]) async throws -> RESPValue {
        let channel = try await channel()
        let answer = channel.eventLoop.makePromise(of: RESPValue.self)
        let deadline = channel.eventLoop.scheduleTask(in: .seconds(1)) {
            answer.fail(Closed())
            channel.close(promise: nil)
        }
        defer { deadline.cancel() }
        // If the channel has closed since it was chosen, its handler is gone and only the write fails.
        let written = channel.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenFailure { answer.fail($0) }
        channel.writeAndFlush((Self.encode(command), answer), promise: written)
        let value = try await withTaskCancellationHandler {
            try await answer.futureResult.get()
        } onCancel: {
            // A later answer for this promise has no effect.
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
            // Another task may have started a new connection meanwhile.
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

    /// Encodes a command, which is a list of byte strings.
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

/// Delivers each answer to the oldest command without an answer.
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
