import Synchronization

/// A connection that no longer speaks HTTP after the response to a requested upgrade. The response carries the
/// connection through the interceptors. The first caller that takes the connection owns it. If no caller takes the
/// connection, it is closed when the response is released.
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
    /// True if the request asked for an upgrade and the server agreed, so that this response hands over the connection.
    @usableFromInline package var holdsConnection: Bool { head.handover != nil }

    /// Returns the connection that was handed over with this response; nil after the first call, and if no connection
    /// was handed over.
    package func takeHandedOver() -> (any Sendable)? { head.handover?.take() }
}
