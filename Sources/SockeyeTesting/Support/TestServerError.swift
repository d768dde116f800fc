import SockeyeCore
import SockeyeNet

/// An error of a test server, a mock or a recording, or of a function of this module that waits for a condition.
public struct TestServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error; new kinds may be added.
    public struct Code: Sendable, Hashable {
        private enum Value {
            case disconnected, malformedRequest, bodyTooLarge, misuse, timedOut, cannotStart, unexpectedRequest
            case verificationFailed, badRecording
        }

        private let value: Value

        /// The peer closed or reset the connection, or this side closed it. The server never counts this error as a
        /// failure of the handler.
        public static let disconnected = Code(value: .disconnected)
        /// The client sent a request that is not valid HTTP/1.1 or HTTP/1.0. A ``MockTransport`` or a recording also
        /// reports this error if a request body does not have its announced length.
        public static let malformedRequest = Code(value: .malformedRequest)
        /// A body exceeded the limit of the method that read it, or ``TestConnection/read(through:upTo:)`` found no
        /// delimiter within its limit.
        public static let bodyTooLarge = Code(value: .bodyTooLarge)
        /// The handler used the request, the responder or the connection in a way that is not allowed: methods in an
        /// invalid order, two tasks that read at the same time, or a response that is missing or incomplete.
        public static let misuse = Code(value: .misuse)
        /// The awaited condition did not become true in time.
        public static let timedOut = Code(value: .timedOut)
        /// The socket could not be opened, the certificate could not be used, or a wait could not begin, for example
        /// for lack of descriptors.
        public static let cannotStart = Code(value: .cannotStart)
        /// A ``MockTransport`` or a recording has no answer for a request.
        public static let unexpectedRequest = Code(value: .unexpectedRequest)
        /// The requests, or their number, differ from the test's expectation.
        public static let verificationFailed = Code(value: .verificationFailed)
        /// A recording file is missing, cannot be read or written, or is not a recording; or a body was too large to
        /// record.
        public static let badRecording = Code(value: .badRecording)
    }

    /// The kind of error.
    public let code: Code
    /// A sentence that describes the error.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

extension TransportError {
    /// The error that a handler sees: `CancellationError` for a cancellation, and a lost connection for everything
    /// else.
    var asTestError: any Error {
        if self == .cancelled { return CancellationError() }
        return TestServerError(.disconnected, "the connection was lost: \(self)")
    }

    /// The error of a wait that uses only the event loop: `CancellationError` for a cancellation, and `cannotStart` for
    /// all other errors. These mean that the event loop could not be created or used, for example for lack of
    /// descriptors.
    var asWaitError: any Error {
        if self == .cancelled { return CancellationError() }
        return TestServerError(.cannotStart, "cannot wait: \(self)")
    }
}

extension EventPoller {
    /// Waits until the task is cancelled.
    static func waitForCancellation() async throws -> Never {
        do throws(TransportError) {
            let poller = try shared()
            while true { try await poller.sleep(until: .distantFuture) }
        } catch {
            throw error.asWaitError
        }
    }
}
