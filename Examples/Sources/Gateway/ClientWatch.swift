import Hummingbird
import NIOCore
import Synchronization

/// Client-abort detection for one connection: what is done for a client is cancelled when it closes or resets its connection.
///
/// Hummingbird lets clients close one half of a connection and cancels no handler. Here a closed half counts as gone, as
/// nginx and Go's server have it. Unlike `consumeWithCancellationOnInboundClose` this leaves the connection alive for the
/// next request.
final class ClientWatch: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = Never

    private struct State {
        var isGone = false
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { leave() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    private func leave() {
        let cancel = state.withLock { state in
            state.isGone = true
            return state.cancel
        }
        cancel?()
    }

    /// Runs an operation in a task that is cancelled when the client has gone. One at a time: a connection has one exchange.
    func cancellingWhenGone<Value: Sendable>(
        _ operation: @escaping @concurrent @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await operation() }
        let isGone = state.withLock { state in
            state.cancel = { task.cancel() }
            return state.isGone
        }
        defer { state.withLock { $0.cancel = nil } }
        if isGone { task.cancel() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

/// What a request of the gateway knows besides itself: its connection.
public struct GatewayContext: RequestContext {
    /// What Hummingbird itself keeps for a request.
    public var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    /// Made by Hummingbird for each request.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    func clientWatch() async throws -> ClientWatch {
        try await channel.pipeline.handler(type: ClientWatch.self).get()
    }
}

extension Gateway {
    /// The server in front of the gateway.
    ///
    /// - Parameter onPort: Called with the port once the server listens, for those who let the system choose one.
    public func application(
        address: BindAddress = .hostname("127.0.0.1", port: 8080), onPort: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> some ApplicationProtocol {
        Application(
            responder: self,
            server: .http1(configuration: .init(additionalChannelHandlers: [ClientWatch()])),
            configuration: ApplicationConfiguration(address: address),
            onServerRunning: { onPort($0.localAddress?.port ?? 0) }
        )
    }
}
