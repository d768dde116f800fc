import SockeyeCore
import SockeyeNet

/// Why a test server, or a wait of this library, could not go on.
public struct TestServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of trouble it was; new kinds may be added.
    public struct Code: Sendable, Hashable {
        private enum Value {
            case disconnected, malformedRequest, bodyTooLarge, misuse, timedOut, cannotStart, unexpectedRequest
            case verificationFailed, badRecording
        }

        private let value: Value

        /// The peer closed or reset the connection, or it was closed on this side. Never counts as a failed handler.
        public static let disconnected = Code(value: .disconnected)
        /// The client sent something that is not HTTP/1.1.
        public static let malformedRequest = Code(value: .malformedRequest)
        /// A body was larger than the limit given to a `collect`.
        public static let bodyTooLarge = Code(value: .bodyTooLarge)
        /// The handler called the responder in an order that makes no response.
        public static let misuse = Code(value: .misuse)
        /// What was waited for did not happen in time.
        public static let timedOut = Code(value: .timedOut)
        /// The socket could not be opened, or the certificate could not be used.
        public static let cannotStart = Code(value: .cannotStart)
        /// A ``MockTransport`` or a recording was asked for something it has no answer for.
        public static let unexpectedRequest = Code(value: .unexpectedRequest)
        /// Something else was asked for than the test says, or not as often.
        public static let verificationFailed = Code(value: .verificationFailed)
        /// A file of recorded exchanges is missing, cannot be written, or is none.
        public static let badRecording = Code(value: .badRecording)
    }

    /// What kind of trouble it was.
    public let code: Code
    /// One sentence for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

extension TransportError {
    /// The error that a handler sees: cancellation as Swift spells it, everything else as a lost connection.
    var asTestError: any Error {
        if self == .cancelled { return CancellationError() }
        return TestServerError(.disconnected, "the connection is gone: \(self)")
    }
}

extension EpollPoller {
    /// Waits until the task is cancelled.
    static func waitForCancellation() async throws -> Never {
        let poller = try shared()
        do throws(TransportError) {
            while true { try await poller.sleep(until: .distantFuture) }
        } catch {
            throw error.asTestError
        }
    }
}
