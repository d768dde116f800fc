import Synchronization

/// A connection that left HTTP, after a 101 or for a tunnel, and is passed through the interceptors with the response.
/// The first caller that takes the connection owns it. If no caller takes it, it closes with the response.
package final class ConnectionHandover: Sendable {
    private let connection: Mutex<(any Sendable)?>

    /// - Parameter connection: The connection; its deallocation closes it.
    package init(_ connection: any Sendable) {
        self.connection = Mutex(connection)
    }

    fileprivate func take() -> (any Sendable)? {
        connection.withLock { connection in
            defer { connection = nil }
            return connection
        }
    }
}

extension IncomingResponse {
    /// True if the connection left HTTP with this response, as the request had asked.
    @usableFromInline package var holdsConnection: Bool { head.handover != nil }

    /// Returns the connection that was handed over with this response; nil after the first call, and if no connection
    /// was handed over.
    package func takeHandedOver() -> (any Sendable)? { head.handover?.take() }
}
