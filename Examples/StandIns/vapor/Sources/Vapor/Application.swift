public import NIOCore
import NIOPosix
import Synchronization

/// A web application.
public final class Application: Sendable {
    /// The event loops of the application.
    public let eventLoopGroup: any EventLoopGroup
    fileprivate let makeClient = Mutex<(@Sendable (Application) -> any Client)?>(nil)

    private init() { eventLoopGroup = MultiThreadedEventLoopGroup.singleton }

    /// Makes an application.
    public static func make() async throws -> Application { Application() }

    /// Ends the application.
    public func asyncShutdown() async throws {}

    /// The choice of the client.
    public var clients: Clients { Clients(application: self) }

    /// A client on one of the event loops.
    public var client: any Client {
        guard let make = makeClient.withLock({ $0 }) else { fatalError("app.clients.use(...) was not called") }
        return make(self)
    }

    /// The choice of the client.
    public struct Clients: Sendable {
        /// The application.
        public let application: Application

        /// A setting that chooses the client.
        public struct Provider {
            let run: @Sendable (Application) -> Void

            /// Makes a provider.
            @preconcurrency public init(_ run: @Sendable @escaping (Application) -> Void) { self.run = run }
        }

        /// Chooses the client.
        public func use(_ provider: Provider) { provider.run(application) }

        /// Chooses the client.
        @preconcurrency public func use(_ makeClient: @Sendable @escaping (Application) -> any Client) {
            application.makeClient.withLock { $0 = makeClient }
        }
    }
}
