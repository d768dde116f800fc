import Hummingbird
import NIOCore
import Synchronization

/// Client-abort detection for one connection: cancels the work for a client that closes or resets its connection.
///
/// Hummingbird lets clients close one half of a connection and cancels no handler. Here a half-closed connection counts
/// as aborted, as in nginx and in Go's server. Unlike `consumeWithCancellationOnInboundClose`, this leaves the
/// connection open for the next request.
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

    /// Runs an operation in a task that is cancelled when the client leaves. Runs one operation at a time, because a
    /// connection has one exchange.
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

/// The context of a request to the gateway, with its connection.
public struct GatewayContext: RequestContext {
    /// Hummingbird's own context of a request.
    public var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    /// Makes the context of a request; Hummingbird calls this.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    func clientWatch() async throws -> ClientWatch {
        try await channel.pipeline.handler(type: ClientWatch.self).get()
    }
}

extension Gateway {
    /// Makes the server that receives the gateway's requests.
    ///
    /// - Parameter onPort: Called with the port once the server listens, for callers that let the system choose it.
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
